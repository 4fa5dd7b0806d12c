-- A store of the first schema, as it was kept: polls that are closed, open and deleted.
PRAGMA user_version = 1;
CREATE TABLE polls (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,  -- in the tables of votes; another one after close
  closed INTEGER NOT NULL,
  closes INTEGER NOT NULL,
  digest BLOB NOT NULL,
  key BLOB NOT NULL,
  organiser BLOB NOT NULL,
  manifest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE deleted (id TEXT PRIMARY KEY, digest BLOB NOT NULL, day TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (
  poll TEXT NOT NULL REFERENCES polls ON DELETE CASCADE,
  place INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (poll, place)
) WITHOUT ROWID;
CREATE TABLE counts (
  poll TEXT PRIMARY KEY REFERENCES polls ON DELETE CASCADE,
  casts INTEGER NOT NULL DEFAULT 0,
  changes INTEGER NOT NULL DEFAULT 0,
  withdrawals INTEGER NOT NULL DEFAULT 0,
  erasures INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE hours (
  poll TEXT NOT NULL REFERENCES polls ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (poll, hour)
) WITHOUT ROWID;
CREATE TABLE published (
  poll TEXT PRIMARY KEY REFERENCES polls ON DELETE CASCADE,
  step INTEGER NOT NULL,
  text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE codes (
  poll INTEGER NOT NULL,
  code BLOB NOT NULL,
  revoked INTEGER NOT NULL,
  PRIMARY KEY (poll, code)
) WITHOUT ROWID;
CREATE TABLE used (
  poll INTEGER NOT NULL,
  question BLOB NOT NULL,
  code BLOB NOT NULL,
  PRIMARY KEY (poll, question)
) WITHOUT ROWID;
CREATE TABLE entries (
  poll INTEGER NOT NULL,
  receipt BLOB NOT NULL,
  state INTEGER NOT NULL,
  change INTEGER NOT NULL,
  salt BLOB,
  report BLOB,
  question BLOB,
  replaces BLOB,
  mark BLOB,
  secret BLOB,
  leaf BLOB,
  PRIMARY KEY (poll, receipt)
) WITHOUT ROWID;
CREATE TABLE chores (name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO polls VALUES ('60b4e881d865b93c43da316ef3e1ee45', 2, 0, 1800000000, X'5c53651fb238f52e69977e887631897caecbb8b5dede524a450a7f14764def33', X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', X'0000000000000000000000000000000000000000000000000000000000000000', '{"access":"link","candidates":["Ann","Bob","Cem"],"changes":2,"description":"","hushvote":"poll","id":"60b4e881d865b93c43da316ef3e1ee45","live":0,"mechanism":{"epsilon":"1","mechanism":"duel","odds":[11674931554,4294967296],"questions":[{"gain":1,"loss":2,"minus":1,"plus":2,"share":2147483648,"step":257636872261119,"threshold":3,"weights":[2,1,0]},{"gain":2,"loss":1,"minus":2,"plus":1,"share":2147483648,"step":257636872261119,"threshold":3,"weights":[2,1,0]}],"rule":{"name":"borda","scores":["2","1","0"]}},"partial":false,"question":"Who shall speak for us?","seats":1,"server":"03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8","turnout":20,"version":1}');
INSERT INTO polls VALUES ('f739857752284dec48903b3fd3f142fb', 4, 1, 1800000000, X'678d7f2d886979a7caf2c98e0574866ae8958e7fdc2b42f76a4e93e5950b494b', X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', X'0000000000000000000000000000000000000000000000000000000000000000', '{"access":"codes","candidates":["Ann","Bob","Cem"],"changes":2,"description":"","hushvote":"poll","id":"f739857752284dec48903b3fd3f142fb","live":0,"mechanism":{"epsilon":"1","key":"f739857752284dec48903b3fd3f142fb","mechanism":"challenge","odds":[11674931554,4294967296],"questions":[{"gain":1,"loss":1,"minus":1,"plus":1,"share":4294967296,"step":456824052569343,"threshold":1,"weights":[2,1,0]}],"rule":{"name":"borda","scores":["2","1","0"]}},"partial":false,"question":"Who shall speak for us?","seats":1,"server":"03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8","turnout":20,"version":1}');
INSERT INTO deleted VALUES ('ef141015b9be8e35c06ffcc9940dec14', X'28fb43a969dcf5fae8b870b374d79aa545d792650f6d2796ec2e031cc09ab885', '2026-11-16');
INSERT INTO events VALUES ('60b4e881d865b93c43da316ef3e1ee45', 1, '{"at": 1800000000, "event": "opened"}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 1, '{"at": 1800000000, "event": "opened"}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 2, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 3, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 4, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 5, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 6, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 7, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 8, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 9, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 10, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 11, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 12, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 13, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 14, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 15, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 16, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 17, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 18, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 19, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 20, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 21, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 22, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 23, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 24, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 25, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 26, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 27, '{"at": 1800000001, "event": "issued", "codes": 1}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 28, '{"at": 1800004000, "event": "erased"}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 29, '{"at": 1800003600, "event": "closed"}');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 30, '{"at": 1800004000, "event": "erased"}');
INSERT INTO counts VALUES ('60b4e881d865b93c43da316ef3e1ee45', 24, 4, 2, 0);
INSERT INTO counts VALUES ('f739857752284dec48903b3fd3f142fb', 26, 4, 2, 2);
INSERT INTO hours VALUES ('60b4e881d865b93c43da316ef3e1ee45', 500000, 30);
INSERT INTO hours VALUES ('f739857752284dec48903b3fd3f142fb', 500000, 32);
INSERT INTO published VALUES ('f739857752284dec48903b3fd3f142fb', 1, '{"poll":"678d7f2d886979a7caf2c98e0574866ae8958e7fdc2b42f76a4e93e5950b494b","access":"codes","warnings":[],"certified":null,"title":"challenge, borda over 3 candidates, epsilon 1","mechanism":"challenge","epsilon":1.0,"rule":"borda","n":22,"level":0.95,"population":false,"closed":true,"leader":"Bob","leaders":["Bob"],"suspicious":false,"fakes":null,"rivals":["Ann","Cem"],"tied":[],"candidates":[{"place":1,"candidate":"Bob","score":1.590169112861158,"standard_error":0.5650439068137822,"low":0.16722122959573293,"high":3.013116996126583,"places":[1,3],"first":0.608612060546875},{"place":2,"candidate":"Ann","score":1.2950845564305788,"standard_error":0.5650439068137822,"low":-0.12786332683484614,"high":2.718032439696004,"places":[1,3],"first":0.367401123046875},{"place":3,"candidate":"Cem","score":0.11474633070826327,"standard_error":0.5650439068137822,"low":-1.3082015525571618,"high":1.5376942139736882,"places":[1,3],"first":0.02398681640625}],"elected":null,"lead":{"first":"Bob","second":"Ann","gap":0.29508455643057907,"low":-2.0358685194716406,"high":2.6260376323327987,"separated":false},"needed":{"rival":"Ann","gap":0.29508455643057907,"largest_gap":2.0,"reports":3074},"margin":{"fraction":0.01,"stands":false,"breakdown":0.0,"issued":26,"attacks":[{"attack":"disguise","meaning":"made up to do the most harm","of":"reports","shift":4.327906827648491,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"stuffing","meaning":"extra votes with the leader first and the rival last","of":"reports","shift":2.0,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"amplification","meaning":"extra votes at random","of":"reports","shift":0.0,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"corruption","meaning":"those of voters whom cheats chose to corrupt","of":"credentials","shift":6.327906827648492,"moved":0.4314481927942154,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"theft","meaning":"held by cheats who could not choose them and used them all","of":"credentials","shift":4.327906827648491,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0}]},"words":["Nobody has surely won: Bob leads, but Ann or Cem may truly be ahead (95 % confidence). Bob is truly first with probability 61 %.","Bob and Ann are 0.295 points apart; if that is the true gap, about 3,100 reports altogether would most likely tell.","If 1 of the 22 reports (4.5 %) were made up to do the most harm, they could have moved the gap between two candidates by 0.295 points.","If 1 of the 26 issued credentials (3.8 %) were those of voters whom cheats chose to corrupt, they could have moved the gap between two candidates by 0.431 points.","If 1 of the 26 issued credentials (3.8 %) were held by cheats who could not choose them and used them all, they could have moved the gap between two candidates by 0.295 points.","22 reports. Scores are estimated means of these voters; the intervals, and likewise the true places, hold for all candidates together with 95 % confidence."],"caveats":[],"inspection":{"n":22,"false_alarm":1e-06,"p_value":1.0,"suspicious":false,"fakes":0,"words":["Nothing about these 22 reports rules out honest devices (p = 1 over 5 checks). That proves no honesty: what an honest voter could have sent cannot be told apart."],"checks":[{"name":"types","p_value":1.0,"meaning":"types of question, classes and answers come as often as a public lottery says","finding":"Reports of type 0 (1 over 1), answered no: 14 times, where honest devices average 11.","fakes":1},{"name":"candidates","p_value":1.0,"meaning":"no candidate is named more or less often than any votes could make it","finding":"Ann named in reports of type 0 (1 over 1), answered no: 10 times, where honest devices average 7.","fakes":1},{"name":"pairs","p_value":1.0,"meaning":"no pair of candidates is named more or less often than any votes could make it","finding":"Bob and Cem on opposite sides in reports of type 0 (1 over 1), answered yes: 2 times, where honest devices average 4.","fakes":1},{"name":"scores","p_value":1.0,"meaning":"no group of candidates has more points than its members could have been given","finding":"Bob: 1.590 points per voter by the estimate, where no votes can give more than 2.000.","fakes":2},{"name":"reports","p_value":1.0,"meaning":"no single report comes more or less often than any votes could make it","finding":"“Do I put {Cem} over {Bob}? I say no.” was sent 4 times, where honest devices average 1.0 to 2.7.","fakes":1}]}}');
INSERT INTO codes VALUES (4, X'00b448b0bd3f54fd5ded51721b5e2eb1b34484eb33a44b13aea0e9fc97a74cd5', 0);
INSERT INTO codes VALUES (4, X'05fc182ecaa6b8b39c05f0ed65f68ac5f493080c2babc596916d3b67cac6d46c', 0);
INSERT INTO codes VALUES (4, X'1409d459137b88b882f0058124194848b2476ff0118c2a3c329aee3e98c4a06f', 0);
INSERT INTO codes VALUES (4, X'3fa2fe51d52eaaf4180b5038adb472a81e37b3b16fc712d104612798f451c5d8', 0);
INSERT INTO codes VALUES (4, X'59336f00f8cb4195fa64a6f9fdef53beb33f4fcc8c1e36237cd28bff2bf99247', 0);
INSERT INTO codes VALUES (4, X'627392616e8ef4ed121aa36cd70cf7f2c57d7950327009ee9426d8cf2f37adc3', 0);
INSERT INTO codes VALUES (4, X'65cd4f85ad745caed9ec4b5eb2a27de0438d9d8accce3c705f868c92bff06a15', 0);
INSERT INTO codes VALUES (4, X'691db3e891514a15a64e724d3204519fef33481123c061c61a99fca0904cb62b', 0);
INSERT INTO codes VALUES (4, X'9a92fd88e4eb45f44dfb08d569fd22810942180941a35c012eb57a69387cc4aa', 0);
INSERT INTO codes VALUES (4, X'9b696807bebf0efa2259f02fdb4ef50821579bfafff0f64f8915e392c76b50e7', 0);
INSERT INTO codes VALUES (4, X'9f3935a24db4ba7f7aa749dd75d9488f9477f88bf7f383eac255d4736ce47f40', 0);
INSERT INTO codes VALUES (4, X'9fa5a2a60f28706579f69c124ba2ccd867117100a4b2e72703aebfa537c6255d', 0);
INSERT INTO codes VALUES (4, X'a83e8970f20cc1ca410ee1de0cb93b2996859afa1b8d3f87c2f5f857282e9c5b', 0);
INSERT INTO codes VALUES (4, X'af1c3c05ffa5b34a376d5efc8558b035c37d159e221258e2cde27a24c40e0d95', 0);
INSERT INTO codes VALUES (4, X'b4cf781c008136f38a3266bd65c86d2c5aaf83d17fb79e239aa5d6f336bc646c', 0);
INSERT INTO codes VALUES (4, X'b5884015fafe5f337fb7cab257a0f8fa92d61137804726a85687a3d02a033e9a', 0);
INSERT INTO codes VALUES (4, X'ba75c257765bd5826691dc76a52831ff66fda1cdf1c016afaa501962f790513e', 0);
INSERT INTO codes VALUES (4, X'bfb12acfe6708facb61511fb8d38128ee956ac61474016264ecb702176acc234', 0);
INSERT INTO codes VALUES (4, X'bff9ccef8e1cb25b91b965b7883b6ff97cec4313537984078119842b14d61b66', 0);
INSERT INTO codes VALUES (4, X'c88f684b5a5c59dffd969644d0e1a72a52bfff3debece44d9fe0d5b4299c15a2', 0);
INSERT INTO codes VALUES (4, X'ca352494d30600cfdc25cc08726a92cb2e04bdecc5697196be61f2267c8672c6', 0);
INSERT INTO codes VALUES (4, X'ca7f3929ce547da8992b684b2b03621990e375586cdd1eeaf255daae82a131da', 0);
INSERT INTO codes VALUES (4, X'd0476da7931a8333cb6bb330f80fd260d0f4bf1b362419af3e5751ed2c5d143b', 0);
INSERT INTO codes VALUES (4, X'da627baa14a50de6052581aa2faca665ec09227cb9eefa92825464f407b729f6', 0);
INSERT INTO codes VALUES (4, X'e8b6b03611a682b1d3dc3f3bcf8f3f76fd60e0e7ece58ffe592ebe9081be38e6', 0);
INSERT INTO codes VALUES (4, X'ff97124af661c36cdec500e1e49667222cfc04339de7ec81d867064e2731efea', 0);
INSERT INTO used VALUES (4, X'08c7520f61e1d44208149b223a670b980195f21c44c2a79bb6f3ef0ddccbde52', X'c88f684b5a5c59dffd969644d0e1a72a52bfff3debece44d9fe0d5b4299c15a2');
INSERT INTO used VALUES (4, X'0ca6661cd02302466022d9c635d5e0a1946f8ea30759e717af81a0e0adf1e825', X'9fa5a2a60f28706579f69c124ba2ccd867117100a4b2e72703aebfa537c6255d');
INSERT INTO used VALUES (4, X'1f6e7ecdfd1495e4b91454af08971b90eb2bc08ee892b277fb06d77e5c021893', X'9a92fd88e4eb45f44dfb08d569fd22810942180941a35c012eb57a69387cc4aa');
INSERT INTO used VALUES (4, X'2660ee5000c8ecf23fb798943b10c2b81bf19e6e5c9d69447a1851ef5b749c09', X'05fc182ecaa6b8b39c05f0ed65f68ac5f493080c2babc596916d3b67cac6d46c');
INSERT INTO used VALUES (4, X'2d6c22167d1af0d308628c7620e77995a65736fbd87a71b1f2264045f007c17f', X'59336f00f8cb4195fa64a6f9fdef53beb33f4fcc8c1e36237cd28bff2bf99247');
INSERT INTO used VALUES (4, X'2f504cfab4d3b7dd6f0f3f200b78748f23c0e32d8c716cfe8e80bdc1c08486c0', X'e8b6b03611a682b1d3dc3f3bcf8f3f76fd60e0e7ece58ffe592ebe9081be38e6');
INSERT INTO used VALUES (4, X'33d23f074d97255f313b93652e7a23ed324eff96033b4c7976bca4ddbf017dea', X'00b448b0bd3f54fd5ded51721b5e2eb1b34484eb33a44b13aea0e9fc97a74cd5');
INSERT INTO used VALUES (4, X'41b3c1cfbaaef392bd31bbbe8563d9dd217d7f88a72a209968010e474965c990', X'ff97124af661c36cdec500e1e49667222cfc04339de7ec81d867064e2731efea');
INSERT INTO used VALUES (4, X'433b3156edbf1712650a93c002d30e6ca65227c1d99963c89ae2e50b04cd9192', X'af1c3c05ffa5b34a376d5efc8558b035c37d159e221258e2cde27a24c40e0d95');
INSERT INTO used VALUES (4, X'4ce1d825b0701f38d91f503f4d4a0ceddbca6d5e224a7fbdb03f6ee57dd36d50', X'b4cf781c008136f38a3266bd65c86d2c5aaf83d17fb79e239aa5d6f336bc646c');
INSERT INTO used VALUES (4, X'5104d84d35f97a304bd9ac3905efd400e0b8a0e7fc2fb866cac79a8e3cdfe806', X'b5884015fafe5f337fb7cab257a0f8fa92d61137804726a85687a3d02a033e9a');
INSERT INTO used VALUES (4, X'65dfe26ccc26fb610dc819676f7eca54f4d09be87206bb396f510246de09e08f', X'ca7f3929ce547da8992b684b2b03621990e375586cdd1eeaf255daae82a131da');
INSERT INTO used VALUES (4, X'6d33c27d79e4075dc156a1cf3e5010e1c00d3c23a5c159348fcc5e2540097341', X'ca352494d30600cfdc25cc08726a92cb2e04bdecc5697196be61f2267c8672c6');
INSERT INTO used VALUES (4, X'8af963d3e3b2cc48d4ef89c040720a25362ffc4c2236b9efb079afd87d8c4fa4', X'da627baa14a50de6052581aa2faca665ec09227cb9eefa92825464f407b729f6');
INSERT INTO used VALUES (4, X'912a0e2c57fb084b063a1127b5f36af1fd45449a5428624084a0b087abd70b88', X'bff9ccef8e1cb25b91b965b7883b6ff97cec4313537984078119842b14d61b66');
INSERT INTO used VALUES (4, X'9b848afa57f46d5248d0f126da4b58201a1f5e3f054671d0dcfa9c9d8cbd8094', X'65cd4f85ad745caed9ec4b5eb2a27de0438d9d8accce3c705f868c92bff06a15');
INSERT INTO used VALUES (4, X'af9505039dbdb470620f34e00a761ad70be3ea58e28e6cef389eb653beb0b8c2', X'bfb12acfe6708facb61511fb8d38128ee956ac61474016264ecb702176acc234');
INSERT INTO used VALUES (4, X'b69ef59ddebb95c6a3075c373b2e5e0395050d06bff3ed6ae1bfc463b5d0d0bb', X'691db3e891514a15a64e724d3204519fef33481123c061c61a99fca0904cb62b');
INSERT INTO used VALUES (4, X'b99e19dfb8d3246a4402959b2de8a608558e1d4e450e77d41660a871e0717b02', X'3fa2fe51d52eaaf4180b5038adb472a81e37b3b16fc712d104612798f451c5d8');
INSERT INTO used VALUES (4, X'd701bc44c8a18cafdcfc54f4b034d1eb812bf3d9c0be0e7793809ffbfa896bf7', X'd0476da7931a8333cb6bb330f80fd260d0f4bf1b362419af3e5751ed2c5d143b');
INSERT INTO used VALUES (4, X'e2779861f65e64fed0b1c16b020c58edc56b586728cd52cbce02a6bb06b9ff32', X'1409d459137b88b882f0058124194848b2476ff0118c2a3c329aee3e98c4a06f');
INSERT INTO used VALUES (4, X'e48b72040002e7396d012b2eb0b5bd40cc0b72da82b2103ba6200a4aeede9c26', X'627392616e8ef4ed121aa36cd70cf7f2c57d7950327009ee9426d8cf2f37adc3');
INSERT INTO used VALUES (4, X'e9db0a813ac72e5fc053d5b0b233134031630574c99f5a3516502cbf31b24acc', X'a83e8970f20cc1ca410ee1de0cb93b2996859afa1b8d3f87c2f5f857282e9c5b');
INSERT INTO used VALUES (4, X'ec2e2a01552ccc329346fc99bea44a91d4490cf732a827ad7ccdf6be5516585e', X'9f3935a24db4ba7f7aa749dd75d9488f9477f88bf7f383eac255d4736ce47f40');
INSERT INTO used VALUES (4, X'ed0539bc41f943a3f1e0f62c1167fc6cf281c438c0ea5429efc025d3b8368e18', X'ba75c257765bd5826691dc76a52831ff66fda1cdf1c016afaa501962f790513e');
INSERT INTO used VALUES (4, X'f21d213c02c657d29ff4037e2af5bd4a0f40df5592cf0aa2bdb547d2d7579247', X'9b696807bebf0efa2259f02fdb4ef50821579bfafff0f64f8915e392c76b50e7');
INSERT INTO entries VALUES (2, X'28326495ff71ae8a6da18dbb61559186175a562f62980913ab2a6cc017f04c71', 0, 0, X'3a74a6c1e5ac3da23725fb88c73cf533', X'000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'2b57a304dd47a628b5e00bf212c3daedffcb6f51fcb0e13aea15e48d3aa4ebbe', 0, 0, X'1802013454277f73fa32339ed8f0d6d2', X'010205', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'318806ecfdbd27ed96fd5bdc6120b345971826ea677e2618733195d205a58e63', 1, 0, X'1181d6707d11523f6e7f1ef4a0c1c164', NULL, NULL, NULL, X'91c8514a4b4a463a8830abd6683027255fb96540c63e03b65dac278dc1462c1f', X'9ae815688e30be5ad1f46b9555ea7a71630ad040f2c4f23ac056072b71c6f056', NULL);
INSERT INTO entries VALUES (2, X'376f5f3c035a33a25aa7b8cb4c2ec2b00abafaf037cd1fa7bdfd4121913681a4', 0, 0, X'0ba8b3709b0462bd5741f82666a4cc6e', X'000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'40f401b02de9f6725f338fe26fc715b17560f6fe764b807387db7bf3e1471402', 0, 0, X'867164a671d276650320cfc01b85845d', X'000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'58d37dc519884210f05eaaf39e5e72a156fbcfd8c3df2463c314b699590ae714', 0, 0, X'313c1f9bd35a61571bfeb45b7ae2b09a', X'010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'59d8e456ebcff9485556e5da2183466635cef70227870344fb7e5de2667d8041', 0, 0, X'2c4b26a655d3f72e1b943069a2db4bef', X'010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'5b152cfe02245575f121895adbdf3c48fd94d22ee8fb8ac0fffd19a2e7807632', 0, 0, X'e65bd6f2ae3cc7a0e29d5ac7a7ed7df5', X'000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'617afe69aac7217fb9fdf9672f8c4254d4213093b067ade97560558f20027b3d', 0, 0, X'dd674b85f579659b854f5e168d3e3c08', X'010403', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'670ec91c2d170c70d3e382a880c6289a64208348be7dd0b300e7b930ba5e73c4', 0, 0, X'08459937688d894566fb91b49155304f', X'010403', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'6f733b0688a2f5a88e000bc7efd46423a56a38c73318300edd31f18a581883cb', 0, 0, X'5de4061f0fcf7a34312b2a61edcc5d82', X'000601', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'85d684fe5411e94baf015a5e8d8de1f0eff7061d085c8765c248fa4fe7e51bd9', 2, 1, X'fbf0d8a40cd63734975d19626c3e3ee7', NULL, NULL, X'318806ecfdbd27ed96fd5bdc6120b345971826ea677e2618733195d205a58e63', X'ac0687ad29b5246435478e84a818d44f5b998221d174f9debe6d6c377b332751', X'27d476dd21963fdd0920358a0f0da7c2255e9f5f6f61a444f415611b7cb750ed', NULL);
INSERT INTO entries VALUES (2, X'8c48ca5d8457c88b14302a98b3e3c6237e08404dee6d64c4c713caeeeede2e1a', 0, 0, X'88e87aabb0fcd1a01ec20ed778a71125', X'010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'93a9a5f6344d1bc2f1575d7cd59fd58de8cf3e45a851f363b44fc768ec301eb9', 0, 0, X'2dffc7518289dee1dba691821430750e', X'010205', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'9cef7cbcddac207edad51788a4eff0946cfd325e676cc38c6c6edf8d71cf886d', 1, 0, X'5ce35ad03e0cad39e340772e0b550987', NULL, NULL, NULL, X'e9c1d810ac084979cd41bbf06e75155417e4a25830a9a179c5a607f6ae1cab3d', X'b1ccfee3b8578d9962fe0d2587e8e68df132ef339f05fd590e67ac50f76ff028', NULL);
INSERT INTO entries VALUES (2, X'a07d7a5c23646dee623313470d1f40337037028139e6c22e871b5776b76d1628', 0, 0, X'dd0236ade879d38de191c5faa2794805', X'000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'ab09ab27098f7827e11e3e1adf7b9fa57afcd8ec4ecb097273fa78a5c0affec4', 0, 0, X'5a3ba5fde49f099c077a59301641af20', X'010205', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'adb3aa892c979dc872690eca8dd2dcbd6215e6f2ef130539da4f0700360fa192', 0, 0, X'215f7542859fee201d24b004b388c53e', X'010403', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'ae28b8eaaaf8a28c3fc623479c3f951e4824a4e488a5ea649adbb447e7df4b24', 1, 0, X'2fb9ca4f6311ddc0487aa59e597598b2', NULL, NULL, NULL, X'728ef8d5749665613c5518ce828f791400f0d57baedc311d6f2732fb9db160eb', X'75de4076a08b51477ef10c5075e8b4fbae5fbaaf2da0006379e6635e23521b72', NULL);
INSERT INTO entries VALUES (2, X'af70599afad798b7b44baa2bd219d1ccc074ef2f340503421d06bbfbe894f87e', 0, 0, X'84bdffb35c5c93609096bc3a032bb625', X'010205', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'b32e02b01b3597afb70f1ec46464cd0faa23882a6008bf2607c44bbbc4089cce', 0, 0, X'a27335ef89ec4b6bb47bd677308e9c35', X'000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'b3728e19f81be4aeb16f28a9796aa14589d0058ce8bbf696e9ada94b9eb376a8', 0, 1, X'a8d804a107584f83004f11b6c93201f8', X'000601', NULL, X'ae28b8eaaaf8a28c3fc623479c3f951e4824a4e488a5ea649adbb447e7df4b24', NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'd11bb394450974d65309b4372f4ecc4b3c6dabd789e2702e3dbe8ae6a4d641c6', 1, 1, X'd28bda8da783fd47a848d952ff19ce41', NULL, NULL, X'9cef7cbcddac207edad51788a4eff0946cfd325e676cc38c6c6edf8d71cf886d', X'75255e02c64ab88f4c5a939ce390a6d04bf05714ab87763e89b3717c49713069', X'6ec3a117c436fdbe5f3e2e5608a8d9aea1e36d7d478f6305709b4541b96dcd2a', NULL);
INSERT INTO entries VALUES (2, X'd80924542e290639d942dddf052801f23f01b9a41267c5810c7c8c1535b4452f', 0, 0, X'35706df9ae366b9e48e746e62e719e75', X'000502', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'de8d0090eb888c28a4c4c21760b0c72e83aa80f7c974d02b92a6204360244166', 0, 2, X'02f16c9964b807e2b85a1fd63d851def', X'010205', NULL, X'd11bb394450974d65309b4372f4ecc4b3c6dabd789e2702e3dbe8ae6a4d641c6', NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'e366ff9881f53b6106e7a5d59d50dccbe0dde8fa281d4268a1b7343508f05623', 0, 0, X'018521d652e0ba4f5f40443e2f535140', X'010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (2, X'e7d1bd79c0811ab632ca13acfd090cc848ec48adb45c74c33af47ed40d0abcf8', 2, 0, X'754e38303743b74bdb1fe0204f338578', NULL, NULL, NULL, X'd45d7a47f9da15079302435052d7dc2d9b87b6ed7cf736e38fa6c62700226644', X'e3f1766331bd8cb265fa0b5286be7a89c9536f9d98708bed33ac62881c9e3e22', NULL);
INSERT INTO entries VALUES (2, X'f1310f85374e9d58af94d35a3011cdad369735ec3748c5474b3fbed54c2c6d53', 0, 0, X'caf0adf46bec21da4e4ce46814becf4f', X'010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'06d813ee02d66223a926bb4357a4413127b6c0b1ce2de952681854f244663ab2', 0, 0, X'457a53e24a8402426a6b7aaaf6f37fb2', X'040200', X'912a0e2c57fb084b063a1127b5f36af1fd45449a5428624084a0b087abd70b88', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'15cfff92e4fcae49ff6a4b539457c09abdcc76ebf828d31239e7cccc8b163d60', 0, 0, X'1ff93cd2d8e09e0d5d9bf49b1006ff55', X'010201', X'4ce1d825b0701f38d91f503f4d4a0ceddbca6d5e224a7fbdb03f6ee57dd36d50', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'21ab1a19c3a22d035d7e76f0501489d8b7800c6ed58e0a6d253e4b9a5027842f', 0, 0, X'faf598cf532126647a77f013bc04fb74', X'040201', X'0ca6661cd02302466022d9c635d5e0a1946f8ea30759e717af81a0e0adf1e825', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'2703b0a2b1a05e6525fa2088f5edbac24b8ad1d2eae7f3776f1313931bd642af', 0, 0, X'de4145e12338ed141fd3148e92ae6273', X'040200', X'1f6e7ecdfd1495e4b91454af08971b90eb2bc08ee892b277fb06d77e5c021893', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'3270cf0e316a3e46d75ce09439d6b28747229259294831dfbedbbebd3b608923', 3, 0, NULL, NULL, NULL, NULL, NULL, NULL, X'6a97d2b7a6d5d9ed376a322e0f88f6f02b33788719892601822ee6c9bce3f3a1');
INSERT INTO entries VALUES (4, X'3c0bbd204294260c469003b1b89757ba31194b1aa27b8106c3535fa2cfa3f181', 0, 0, X'56189aa83142905851be84c7708db2f8', X'010200', X'41b3c1cfbaaef392bd31bbbe8563d9dd217d7f88a72a209968010e474965c990', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'3df2003997bce8f4e4a1d69d765367cf6bd43fbedc4b98359d8a59ad98fc812a', 0, 2, X'16dfa4fe6d55de8701d2a5feca2b4425', X'010200', X'b69ef59ddebb95c6a3075c373b2e5e0395050d06bff3ed6ae1bfc463b5d0d0bb', X'b08c497782a22ac94f634e3bfe13af28dce80f92c8ef9fddb519767f3ee2c842', NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'49b6bb866f6c92f92f94feeeb9fbbabb2eed97f455166dbb83c879528592bf3d', 0, 0, X'fea8250ebae9b0a3d94a3a89ada6e6eb', X'040200', X'8af963d3e3b2cc48d4ef89c040720a25362ffc4c2236b9efb079afd87d8c4fa4', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'65dc41e4b21359c3047c4a47538522c58c7efd1d249e7a5036442ea4dbb0a4b1', 1, 0, NULL, NULL, NULL, NULL, NULL, X'5ffa1a5950abeb71f1a735a8fc1dcc4d272444040b0c981081c0d78e6d85948f', NULL);
INSERT INTO entries VALUES (4, X'780eb68415340a34055cecb9d137a32aca2b8068d3f6f61a17a62d7e3464c6a7', 0, 0, X'de2f89b7ebc2b986557c823e9e8598a3', X'020100', X'9b848afa57f46d5248d0f126da4b58201a1f5e3f054671d0dcfa9c9d8cbd8094', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'7a7ef057cbbd0e2ab98f5325dfe35c980fbc07f01fa3a88d10c5327073fa1759', 0, 0, X'167662328e25c3780c03c806a10c6432', X'020101', X'2d6c22167d1af0d308628c7620e77995a65736fbd87a71b1f2264045f007c17f', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'81ba9afcd0c0a2901c2b099400650993b42a5e5f5ef157a306125b7daf4ab3e6', 0, 0, X'a4df8c8c259b810983336d27872660e0', X'040200', X'6d33c27d79e4075dc156a1cf3e5010e1c00d3c23a5c159348fcc5e2540097341', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'84036a05b97a1921797397a6b09918023b0d7fd646b36abaa000eeec90077f28', 0, 1, X'833e5c2a2be562a5f1cfb8ed64bc219e', X'040201', X'e9db0a813ac72e5fc053d5b0b233134031630574c99f5a3516502cbf31b24acc', X'c4d57061d65e685160ed1699eea9f92b0d4b0f9e42b003d5d1576ffbcb798149', NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'8d1bf177fa0136a3b657de0d4cdfa6d26bb985a36c5ce0506e3c701168fdc341', 2, 1, NULL, NULL, NULL, X'e8c418a5d9e32bd2103e70e5dceaf2cc43790c68c3cfa5ddb375292f4e108af2', NULL, X'3d94919abe7ffc983101cab8835c9393d53bb9d6a7e7efc86dc02f066f60bebf', NULL);
INSERT INTO entries VALUES (4, X'9130f73d1d609886954887317501df7b698b62d6f0fd57371bc85bc7563f2627', 0, 0, X'4d468ef88f02fe6bab692eb75a11e9c7', X'010200', X'65dfe26ccc26fb610dc819676f7eca54f4d09be87206bb396f510246de09e08f', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'9c5f11b9a7568431a8f2a695dd4e486fddbc0d2dbc26f6a7550ea0d766b5ce7c', 0, 0, X'2b58ad33a032381c80b3bdcc701d877d', X'040100', X'433b3156edbf1712650a93c002d30e6ca65227c1d99963c89ae2e50b04cd9192', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'a84e5f918e9cc314d8187cf596e844358855f92639c561d216f72bfd5d063410', 0, 0, X'bd928e20d1e34dcb25c57911841c1bc2', X'020101', X'ed0539bc41f943a3f1e0f62c1167fc6cf281c438c0ea5429efc025d3b8368e18', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'ab73e032283c247938faa91ee8230a4621a52d09bf5baa97d8facaecc21becfd', 3, 0, NULL, NULL, NULL, NULL, NULL, NULL, X'e1cd964dbe94ad58ecba1a1c595a72a513bb5336467c67e0703cc0648fc83b86');
INSERT INTO entries VALUES (4, X'b08c497782a22ac94f634e3bfe13af28dce80f92c8ef9fddb519767f3ee2c842', 1, 1, NULL, NULL, NULL, X'65dc41e4b21359c3047c4a47538522c58c7efd1d249e7a5036442ea4dbb0a4b1', NULL, X'6fbe7f82a08d4fbd7cf51dc49b54c5da81b5ca2b7a0eed1eed7504bb7b3c40f1', NULL);
INSERT INTO entries VALUES (4, X'b48a876acdf4e9435393a32cea85026d996a64c1df261b069864244cd21207ea', 0, 0, X'5c37166c032ac448169ecdea8d128951', X'040100', X'd701bc44c8a18cafdcfc54f4b034d1eb812bf3d9c0be0e7793809ffbfa896bf7', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'bb10dfb0ee2aa9841b1b1ae21cb04dc8ef45c7da05a48c56a8d9006d6dc5239e', 0, 0, X'f53d811864389b082c92bac67193e139', X'010401', X'08c7520f61e1d44208149b223a670b980195f21c44c2a79bb6f3ef0ddccbde52', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'bb55eae5e32c4effe4c64528957852cc7de0d8b6e729d933add73d31e1fb437d', 0, 0, X'29c03f5e0641035250948a13a05a68f4', X'010400', X'af9505039dbdb470620f34e00a761ad70be3ea58e28e6cef389eb653beb0b8c2', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'bf42038ceb9b1d079e0f7c286218c052d60118386e2b840aca1d7497c3e6065f', 0, 0, X'f94c22ca58267cb75199154dd24f17ee', X'010401', X'2f504cfab4d3b7dd6f0f3f200b78748f23c0e32d8c716cfe8e80bdc1c08486c0', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'c06f53da654196571171a28b472f2d583931acaaff82bcff46f77b165abb18d2', 0, 0, X'9940e5772981e026840ffba5f5d256c0', X'010400', X'e48b72040002e7396d012b2eb0b5bd40cc0b72da82b2103ba6200a4aeede9c26', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'c4d57061d65e685160ed1699eea9f92b0d4b0f9e42b003d5d1576ffbcb798149', 1, 0, NULL, NULL, NULL, NULL, NULL, X'd4d405bfff84bca8d76a4f1459e0763069d521506f95b3a6ecec8f368803101f', NULL);
INSERT INTO entries VALUES (4, X'd86e045d174feb796724d278860c729d9aa55190b2fa1da32125b9165c9a6b96', 2, 0, NULL, NULL, NULL, NULL, NULL, X'39e2a99ee73e69cff8e4e85415e0fe6802dae748791a241a74d53209973e6c94', NULL);
INSERT INTO entries VALUES (4, X'd8e02326883e2ed1c22b71fdb3e77854d85390e89edf6e78f1b7c1a13f431b4e', 0, 0, X'47b9923efa7025cf5eb31e1b3b1eff11', X'020100', X'ec2e2a01552ccc329346fc99bea44a91d4490cf732a827ad7ccdf6be5516585e', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'de07fa6a288eb7f84239dfe30293cc31af22cdd0248479853ff53cb5de39167e', 0, 0, X'1fcd27c05d795808788abbd54661b65c', X'010401', X'2660ee5000c8ecf23fb798943b10c2b81bf19e6e5c9d69447a1851ef5b749c09', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'e3644888e26ad722bbe95eca78358e69f6f10c48ee69d8fae33c0f5c67477dd8', 0, 0, X'8ac8dd0670d06c5420abc1f80d046bb1', X'040100', X'33d23f074d97255f313b93652e7a23ed324eff96033b4c7976bca4ddbf017dea', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (4, X'e8c418a5d9e32bd2103e70e5dceaf2cc43790c68c3cfa5ddb375292f4e108af2', 1, 0, NULL, NULL, NULL, NULL, NULL, X'e8559fb115ea9c9be2a50f421b61a57e1de3a61da721f28b7f6d16613a5990b5', NULL);
