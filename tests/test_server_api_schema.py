"""The API against its own description: schemathesis makes requests from it and judges answers."""

import time

import pytest

from tests.serving import Remote, serving

schemathesis = pytest.importorskip("schemathesis")

EXAMPLES = 25  # requests to each operation, of each kind


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_answers_are_those_of_the_description(tmp_path):
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    options = ("--open", "--creations", "0", "--casts", "0", "--failed-codes", "0")
    with serving(tmp_path / "polls.db", *options) as server, server.client() as client:
        remote = Remote.create(client, access="codes")
        remote.issue(1)
        schema = schemathesis.openapi.from_dict(client.get("/api/v1/openapi.json").json())
        schema.config.update(base_url=server.address)
        not_all = {"positive_data_acceptance", "negative_data_rejection", "ignored_auth"}
        checks = [
            check for check in schemathesis.checks.CHECKS.get_all() if check.__name__ not in not_all
        ]
        assert len(checks) > 4
        began, judged = time.monotonic(), 0
        for found in schema.get_all_operations():
            operation = found.ok()

            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(), known=st.booleans(), own=st.booleans())
            def judge(case, known, own):
                nonlocal judged
                judged += 1
                if known and "id" in (case.path_parameters or {}) and case.method != "DELETE":
                    case.path_parameters["id"] = remote.poll.id
                headers = remote.bearer if own and not case.path.endswith("/close") else {}
                answer = case.call(headers=headers)
                case.validate_response(answer, checks=checks)

            judge()
        assert judged > 10 * EXAMPLES
        assert time.monotonic() - began < 120
        assert server.process.poll() is None
        assert "failed" not in server.output
        remote.voter(remote.codes[0]).cast()
