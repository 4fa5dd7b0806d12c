-- A store of the first schema, as it was kept: polls that are closed, open and deleted.
CREATE SCHEMA IF NOT EXISTS hushvote;
SET LOCAL search_path = hushvote;
CREATE TABLE about (version int NOT NULL, checks bigint NOT NULL DEFAULT 0);
CREATE SEQUENCE numbers;
CREATE TABLE polls (
  id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL UNIQUE,
  closed boolean NOT NULL,
  closes bigint NOT NULL,
  digest bytea NOT NULL,
  key bytea NOT NULL,
  organiser bytea NOT NULL,
  manifest text NOT NULL
) WITH (autovacuum_analyze_threshold = 2147483647);
CREATE TABLE deleted (id text COLLATE "C" PRIMARY KEY, digest bytea NOT NULL, day text NOT NULL);
CREATE TABLE events (
  poll text COLLATE "C" NOT NULL REFERENCES polls ON DELETE CASCADE,
  place int NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (poll, place)
);
CREATE TABLE counts (
  poll text COLLATE "C" NOT NULL REFERENCES polls ON DELETE CASCADE,
  slot int NOT NULL,
  casts bigint NOT NULL,
  changes bigint NOT NULL,
  withdrawals bigint NOT NULL,
  erasures bigint NOT NULL,
  PRIMARY KEY (poll, slot)
) WITH (fillfactor = 50);
CREATE TABLE hours (
  poll text COLLATE "C" NOT NULL REFERENCES polls ON DELETE CASCADE,
  hour bigint NOT NULL,
  slot int NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (poll, hour, slot)
) WITH (fillfactor = 50);
CREATE TABLE published (
  poll text COLLATE "C" PRIMARY KEY REFERENCES polls ON DELETE CASCADE,
  step bigint NOT NULL,
  text text NOT NULL
);
CREATE TABLE codes_2 (code bytea NOT NULL, revoked boolean NOT NULL, PRIMARY KEY (code)) WITH (autovacuum_analyze_threshold = 2147483647);
CREATE TABLE used_2 (question bytea NOT NULL, code bytea NOT NULL, PRIMARY KEY (question)) WITH (autovacuum_analyze_threshold = 2147483647);
CREATE TABLE entries_2 (receipt bytea NOT NULL, state int NOT NULL, change int NOT NULL, salt bytea, report bytea, question bytea, replaces bytea, mark bytea, secret bytea, leaf bytea, PRIMARY KEY (receipt)) WITH (autovacuum_analyze_threshold = 2147483647);
CREATE TABLE codes_4 (code bytea NOT NULL, revoked boolean NOT NULL, PRIMARY KEY (code)) WITH (autovacuum_analyze_threshold = 2147483647);
CREATE TABLE used_4 (question bytea NOT NULL, code bytea NOT NULL, PRIMARY KEY (question)) WITH (autovacuum_analyze_threshold = 2147483647);
CREATE TABLE entries_4 (receipt bytea NOT NULL, state int NOT NULL, change int NOT NULL, salt bytea, report bytea, question bytea, replaces bytea, mark bytea, secret bytea, leaf bytea, PRIMARY KEY (receipt)) WITH (autovacuum_analyze_threshold = 2147483647);
SELECT setval('numbers', 5);
INSERT INTO about VALUES (1, 0);
INSERT INTO polls VALUES ('60b4e881d865b93c43da316ef3e1ee45', 2, false, 1800000000, '\x5c53651fb238f52e69977e887631897caecbb8b5dede524a450a7f14764def33', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '\x0000000000000000000000000000000000000000000000000000000000000000', '{"access":"link","candidates":["Ann","Bob","Cem"],"changes":2,"description":"","hushvote":"poll","id":"60b4e881d865b93c43da316ef3e1ee45","live":0,"mechanism":{"epsilon":"1","mechanism":"duel","odds":[11674931554,4294967296],"questions":[{"gain":1,"loss":2,"minus":1,"plus":2,"share":2147483648,"step":257636872261119,"threshold":3,"weights":[2,1,0]},{"gain":2,"loss":1,"minus":2,"plus":1,"share":2147483648,"step":257636872261119,"threshold":3,"weights":[2,1,0]}],"rule":{"name":"borda","scores":["2","1","0"]}},"partial":false,"question":"Who shall speak for us?","seats":1,"server":"03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8","turnout":20,"version":1}');
INSERT INTO polls VALUES ('f739857752284dec48903b3fd3f142fb', 4, true, 1800000000, '\x678d7f2d886979a7caf2c98e0574866ae8958e7fdc2b42f76a4e93e5950b494b', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '\x0000000000000000000000000000000000000000000000000000000000000000', '{"access":"codes","candidates":["Ann","Bob","Cem"],"changes":2,"description":"","hushvote":"poll","id":"f739857752284dec48903b3fd3f142fb","live":0,"mechanism":{"epsilon":"1","key":"f739857752284dec48903b3fd3f142fb","mechanism":"challenge","odds":[11674931554,4294967296],"questions":[{"gain":1,"loss":1,"minus":1,"plus":1,"share":4294967296,"step":456824052569343,"threshold":1,"weights":[2,1,0]}],"rule":{"name":"borda","scores":["2","1","0"]}},"partial":false,"question":"Who shall speak for us?","seats":1,"server":"03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8","turnout":20,"version":1}');
INSERT INTO deleted VALUES ('ef141015b9be8e35c06ffcc9940dec14', '\x28fb43a969dcf5fae8b870b374d79aa545d792650f6d2796ec2e031cc09ab885', '2026-11-16');
INSERT INTO events VALUES ('f739857752284dec48903b3fd3f142fb', 1, '{"at": 1800000000, "event": "opened"}');
INSERT INTO events VALUES ('60b4e881d865b93c43da316ef3e1ee45', 1, '{"at": 1800000000, "event": "opened"}');
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
INSERT INTO counts VALUES ('60b4e881d865b93c43da316ef3e1ee45', 2, 24, 4, 2, 0);
INSERT INTO counts VALUES ('f739857752284dec48903b3fd3f142fb', 2, 26, 4, 2, 2);
INSERT INTO hours VALUES ('60b4e881d865b93c43da316ef3e1ee45', 500000, 2, 30);
INSERT INTO hours VALUES ('f739857752284dec48903b3fd3f142fb', 500000, 2, 32);
INSERT INTO published VALUES ('f739857752284dec48903b3fd3f142fb', 1, '{"poll":"678d7f2d886979a7caf2c98e0574866ae8958e7fdc2b42f76a4e93e5950b494b","access":"codes","warnings":[],"certified":null,"title":"challenge, borda over 3 candidates, epsilon 1","mechanism":"challenge","epsilon":1.0,"rule":"borda","n":22,"level":0.95,"population":false,"closed":true,"leader":"Ann","leaders":["Ann"],"suspicious":false,"fakes":null,"rivals":["Bob","Cem"],"tied":[],"candidates":[{"place":1,"candidate":"Ann","score":1.7377113910764472,"standard_error":0.5650439068137822,"low":0.31476350781102225,"high":3.160659274341872,"places":[1,3],"first":0.780670166015625},{"place":2,"candidate":"Bob","score":0.8524577217847106,"standard_error":0.565043906813782,"low":-0.5704901614807137,"high":2.275405605050135,"places":[1,3],"first":0.1632080078125},{"place":3,"candidate":"Cem","score":0.4098308871388422,"standard_error":0.5650439068137822,"low":-1.0131169961265827,"high":1.8327787704042673,"places":[1,3],"first":0.056121826171875}],"elected":null,"lead":{"first":"Ann","second":"Bob","gap":0.8852536692917367,"low":-1.445699406610483,"high":3.2162067451939564,"separated":false},"needed":{"rival":"Bob","gap":0.8852536692917367,"largest_gap":2.0,"reports":344},"margin":{"fraction":0.01,"stands":false,"breakdown":0.0,"issued":26,"attacks":[{"attack":"disguise","meaning":"made up to do the most harm","of":"reports","shift":4.327906827648491,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"stuffing","meaning":"extra votes with the leader first and the rival last","of":"reports","shift":2.0,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"amplification","meaning":"extra votes at random","of":"reports","shift":0.0,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"corruption","meaning":"those of voters whom cheats chose to corrupt","of":"credentials","shift":6.327906827648492,"moved":0.4314481927942154,"stands":false,"holds":[],"most":0,"breakdown":0.0},{"attack":"theft","meaning":"held by cheats who could not choose them and used them all","of":"credentials","shift":4.327906827648491,"moved":0.2950845564305789,"stands":false,"holds":[],"most":0,"breakdown":0.0}]},"words":["Nobody has surely won: Ann leads, but Bob or Cem may truly be ahead (95 % confidence). Ann is truly first with probability 78 %.","Ann and Bob are 0.885 points apart; if that is the true gap, about 350 reports altogether would most likely tell.","If 1 of the 22 reports (4.5 %) were made up to do the most harm, they could have moved the gap between two candidates by 0.295 points.","If 1 of the 26 issued credentials (3.8 %) were those of voters whom cheats chose to corrupt, they could have moved the gap between two candidates by 0.431 points.","If 1 of the 26 issued credentials (3.8 %) were held by cheats who could not choose them and used them all, they could have moved the gap between two candidates by 0.295 points.","22 reports. Scores are estimated means of these voters; the intervals, and likewise the true places, hold for all candidates together with 95 % confidence."],"caveats":[],"inspection":{"n":22,"false_alarm":1e-06,"p_value":1.0,"suspicious":false,"fakes":0,"words":["Nothing about these 22 reports rules out honest devices (p = 1 over 5 checks). That proves no honesty: what an honest voter could have sent cannot be told apart."],"checks":[{"name":"types","p_value":0.5352020263671868,"meaning":"types of question, classes and answers come as often as a public lottery says","finding":"Reports of type 0 (1 over 1), answered no: 15 times, where honest devices average 11.","fakes":1},{"name":"candidates","p_value":1.0,"meaning":"no candidate is named more or less often than any votes could make it","finding":"Bob named in reports of type 0 (1 over 1), answered no: 12 times, where honest devices average 7.","fakes":1},{"name":"pairs","p_value":0.7260130824185486,"meaning":"no pair of candidates is named more or less often than any votes could make it","finding":"Ann and Bob on opposite sides in reports of type 0 (1 over 1), answered no: 7 times, where honest devices average 4.","fakes":1},{"name":"scores","p_value":1.0,"meaning":"no group of candidates has more points than its members could have been given","finding":"Ann: 1.738 points per voter by the estimate, where no votes can give more than 2.000.","fakes":1},{"name":"reports","p_value":1.0,"meaning":"no single report comes more or less often than any votes could make it","finding":"“Do I put {Bob} over {Ann}? I say no.” was sent 6 times, where honest devices average 1.0 to 2.7.","fakes":1}]}}');
INSERT INTO entries_2 VALUES ('\xd2cb0530f513d68b72a5c8881fbb2995592b222c7eeffe81fae59186e9784274', 0, 0, '\x3b4922fff8df501ac2968a2407cf1333', '\x000601', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x73e62ac8991e0e118939418811ac0b514e5887c403c6f18084c4cdca4eb21829', 0, 0, '\x9cfb8061337a4ff7d469c9bb67f40dd9', '\x010205', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x04ad46b77f7455618d155d9983caece3009328e6d1b93e675503b1ab303dfbdd', 0, 0, '\x3895960eaaa9f207ed85be6958868b04', '\x000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xbc88820177f0e50e5f19b18c949d90181a2262d3de70bc6e49528232b827dd28', 0, 0, '\xe6055f6c67b0620e2844d7ea32d9a57d', '\x010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x402a9c21cdcafbb54ad7c794492ef79e443dcfdbb4966afff01546d89a02abb9', 0, 0, '\x290526fb650e52afb1498be4d223ade9', '\x000601', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x8b89aaf080502ef3603a966f5244ae2d6622ad250ab20232d5083f19b1ebbf91', 0, 0, '\xa7fc2380682f5a387029b38ad9925465', '\x000502', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xfabd392a49f2471b881b620518a6b475751bc71f0841b829cbd7335271cc2b25', 0, 0, '\x1bf33b3c42f9821258c0f055f8f68ff3', '\x000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xe4218dc01a212b49ca300297c59df676a126f27e9025f19708303fa1d3193f39', 0, 0, '\x22044570119ebd41b08cd60476a422c0', '\x010205', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x8b05fb041f37497d231c49038e4f7c924b225570887d5c350a0b85fb4423aafc', 0, 0, '\x311c588fe0cd213bda8d7db1ae17c122', '\x010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xeabfc9c85f00d325e1042af4dad4c635d04c9a67033fa28c76fda4376862e7b6', 0, 0, '\x504d3dea16f1d8d5aa9243ec88d6d3c0', '\x000601', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xfaf656076689a95ee7aa6e783f670683ef9805ae52d6116edb0dc0f48155265f', 0, 0, '\xf2da97cfe522f36d02f6324a39c2ffc5', '\x000502', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xcc2487e5f35707118e511db138314fa6f5b9aa90874b035120fb5b686c91ef41', 0, 0, '\x711dc58a1f04b94fce76bc2f012ca375', '\x010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x43997a9e452a4bce8d2173319603b62927c106b81c28ecab84bb28c96c7282a0', 0, 0, '\xefbdf699905849fc3cfc780ced557159', '\x000601', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x88b4ba58711dc5016c90d2e8a127b634c24b7d571159192712553f63ed0fd5c5', 0, 0, '\x3a8f5acfde7fb1a105376dc8118c154a', '\x000502', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x8abfe053bad54193e14882a7b5185a7ee6ccbced58f27c7f463377883f747e6f', 0, 0, '\x9b3c307cefc5af3d6d2fc51e4e168108', '\x000601', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xf5c7624974833fffd3b11192c10ad3f9a41cebc84ed3d022d10135127859516a', 0, 0, '\x13e5ee06f6d528ae477e593502c6066c', '\x010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x366267f528ceda4f9551ca7bece01f08b6712e9683d516e8cc2ffa5d0c6ce396', 0, 0, '\x3eb34c811be9db7047f7baf8fce2ab80', '\x010106', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\xe4cc90e798fb5d89b53e44505b86364a51ee00450f38e9cbd0c56b8270397fb4', 0, 0, '\xe1477316c8e496cdbbdb5505f4a31322', '\x010205', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x6bd40c74f1884a5ec825fb0e086ecde991fc78f86e197476b07cbc716b8f9899', 0, 0, '\x27a1db09efb17123d04ef9a4b4bf3bb6', '\x000502', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x7e68a1aebe071ce2ab0acbfe6cd43a66a4bc5615d0c2b50f2347cb77535530b4', 0, 0, '\xb548ad466b771892a5c8c514df471433', '\x000304', NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x1d4498da2337ddd025e799390be4c3803547d68de285e0c342f57d2b0d0a62ac', 1, 0, '\x871ae9803d8c24a78d9f8c21f190eb01', NULL, NULL, NULL, '\x51f756dbe61f687a292bd6036ee7195ebfb467de7bd9f861d09ea0740b127a47', '\xc4ac08d000d48a66b774059907e130bd494054d77b461310bc00c738c9a6e7c4', NULL);
INSERT INTO entries_2 VALUES ('\x88499d4eed64044deb6792fc6536d212ec1b9db1718e9e6e6ae7f3bc768b4350', 0, 2, '\x4fe36815017a10bef8a0b9f45a0fed79', '\x000304', NULL, '\x50b395df7093557e8701781ab3e3d3deddbdd5025f24a2e712ca5aa62525490d', NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x50b395df7093557e8701781ab3e3d3deddbdd5025f24a2e712ca5aa62525490d', 1, 1, '\x734aac61f429984c3728fce0d0f1e604', NULL, NULL, '\x1d4498da2337ddd025e799390be4c3803547d68de285e0c342f57d2b0d0a62ac', '\x55c4749858622c5e666d864039e359d1bfb632dec06c21d1cecc713dc79a02c4', '\xaf25862af80576b443b94108d797388603f47f5eaf6434a48af26309a5e89701', NULL);
INSERT INTO entries_2 VALUES ('\x6b98e85423ca84298ce65571d5a425cbf303a6550a510d4e8868941f3d9ab035', 0, 1, '\x880fe63b3ad4ad929f3b377958889866', '\x000601', NULL, '\x4b4195c9badd26be4345dfbc9682477e71f2717bb5fe6408523c468db804c967', NULL, NULL, NULL);
INSERT INTO entries_2 VALUES ('\x4b4195c9badd26be4345dfbc9682477e71f2717bb5fe6408523c468db804c967', 1, 0, '\xc9132d90714148b6fef86ed668ddb068', NULL, NULL, NULL, '\x6096ef7fa36cb3e53f8aad2669ecc7fc100f1e8fe13e45027f7844ea478ede87', '\xee2ea09e61edf71e91fda77c151df3ee583b043c01863e02c51f166c203ffa41', NULL);
INSERT INTO entries_2 VALUES ('\xe5fc1ead68ae17467e78110f4808cfb8f3c0d585918f53e4b9276c2a2bcfac4a', 2, 0, '\x2139f11e2901e14b5538f2e0d3f555f9', NULL, NULL, NULL, '\x943d5e30898cc361806343670afcf9c089a6f6fbaa639bb39cccd92288851f3c', '\x8b5cc967c92d126ca3ce03ef706666332c7579c8060b8de3a3fa28e51f8d3273', NULL);
INSERT INTO entries_2 VALUES ('\xdf3d193bb3da150e36f30d52be8d2303a53b4fec764e58a2ebbbe333dfbc8c59', 1, 0, '\x9750d6d484f0ac927b17c76c7771937e', NULL, NULL, NULL, '\xf5400d4ccdddc0e056b9f2e215b9e546d498a293a9b098a4739d5267aadb31de', '\x12fbc56638e86dd8d8c9192151fa76ea4bb9f90a734aa2235faf0f8c05bd49ee', NULL);
INSERT INTO entries_2 VALUES ('\x006f718b7f4972417dd1604dcbcc241d9359811584ce80eebbccf123cdd3ccbc', 2, 1, '\x6abdce1a812b08fa5978cafc63673312', NULL, NULL, '\xdf3d193bb3da150e36f30d52be8d2303a53b4fec764e58a2ebbbe333dfbc8c59', '\x3530b78d6892d6422657d2480a31bc800072662755799603b7a07de8bbc5ce9e', '\x46b62bdf550f4bcd0edb63273988ddc334a62f33baaa33bed741b72984026705', NULL);
INSERT INTO codes_4 VALUES ('\x056240d710eb981e8b0f9b815fe6fa1452700674b4cdc3583eed1bd2aeff2dbb', false);
INSERT INTO codes_4 VALUES ('\x0e372dd24bc01202f8e394fec8547e6b2e8e1aaabead4ab322f04a45e50295f8', false);
INSERT INTO codes_4 VALUES ('\x1e2696af6b68e37068de9a586a1687d807853f9e522bfc3d8867f3a49d0abbcb', false);
INSERT INTO codes_4 VALUES ('\x1ec614b5ce40d9f859914daab17b820331d06af9e8eeddd9a3097fe3648b9f95', false);
INSERT INTO codes_4 VALUES ('\x1fc19c1f81f72b7d8fb10187a56008be67889092dec2bfa569aa96b7db97ab2a', false);
INSERT INTO codes_4 VALUES ('\x22795d4010a9398d60cfba485c06f6d15038566fb8d366622b4f12075b70caa9', false);
INSERT INTO codes_4 VALUES ('\x2e0f908f6f9337630026195bcc3d6d3e7c0da9074f9c34cdb1632826abaa9765', false);
INSERT INTO codes_4 VALUES ('\x39b03d7eac2ae8a9b8f4646ab5f7b6a15fcc96cf9f9ccd1cc1ad60cd32f70ecf', false);
INSERT INTO codes_4 VALUES ('\x5d486db5715f5b9eb0b86be454301ff19f37f79d5960977e5a4dee917639c1db', false);
INSERT INTO codes_4 VALUES ('\x87828ffd51e8ce0c72d44915c77ef54e6c0c8326840bbeca1db66e526f30f832', false);
INSERT INTO codes_4 VALUES ('\x91590f8840c5039d70c3303b53de760c039fa8adaa76c9e379a7e1a0f6135e5f', false);
INSERT INTO codes_4 VALUES ('\x99e523571446cb719beeac4e3af16571ec897cdc8f20ef178b71daa2e557fb60', false);
INSERT INTO codes_4 VALUES ('\x99eff2685f1850bb8d5a21100054659629d7f46a626407b25c12611adcc468a5', false);
INSERT INTO codes_4 VALUES ('\x9b130a6d3e935707b0c29045660c4e4c7ff01bd44c112b7ddf6b550c479bbadb', false);
INSERT INTO codes_4 VALUES ('\xb4ffd168d111ebe9e182e1e1954d0113570866fcc131c71840afb6f75e224816', false);
INSERT INTO codes_4 VALUES ('\xb6def924decd643d234007c3836175b057fc56e3abaf144a6554e946df42bbe0', false);
INSERT INTO codes_4 VALUES ('\xbd3c14a75673b7ced0f7cba1f281f79151c713d2839f406d4ed0d096321a2dce', false);
INSERT INTO codes_4 VALUES ('\xdcb5106402f2e79da5710485d54622509c99ffd70305d6b32be6a2cde9a2d4a1', false);
INSERT INTO codes_4 VALUES ('\xddbd30b76ba2e1e65fc49a3e8d7f810be75c6636008dc2d8b4715ba74d478bb6', false);
INSERT INTO codes_4 VALUES ('\xde6ebc59ed8d983408d0180de8a4da86805bf8a62921bf6285052be87d30a77a', false);
INSERT INTO codes_4 VALUES ('\xde9c1a3308b01e11411d74f35f7fd208ccd77458c0bc696e5363b9e753823df4', false);
INSERT INTO codes_4 VALUES ('\xe27b8feeb4c3c0362be1fed005821e60d3a44e8ccd0ce27aa9aebc18fec71333', false);
INSERT INTO codes_4 VALUES ('\xe9e90e06d9e7e8d5f37ac3e6c815328fad9b2c484c6f47b4e496962cd84fd5f8', false);
INSERT INTO codes_4 VALUES ('\xeb3e05386191c1b263241b6a5bfb07227afd47dda95de967f5ce6ba3cdc80587', false);
INSERT INTO codes_4 VALUES ('\xed271696d2680a7d5016e74f71d75e12f3f99dd429b1f2465e04df12df71b3ac', false);
INSERT INTO codes_4 VALUES ('\xf0d1f796db0c23d6e3708d464ffc525c4cc9bb0665fcdbe726fa6d1896b25d59', false);
INSERT INTO used_4 VALUES ('\x0f82665ecbb9ec2eac7c81d4b9eacb9cde5f180a64cf189d9be8acbe14736dae', '\xb6def924decd643d234007c3836175b057fc56e3abaf144a6554e946df42bbe0');
INSERT INTO used_4 VALUES ('\x100e21ae645b8f4fe3701cb97734aef30bc62d153c190ae128f4a046e3e4a58f', '\x9b130a6d3e935707b0c29045660c4e4c7ff01bd44c112b7ddf6b550c479bbadb');
INSERT INTO used_4 VALUES ('\x109c10787c795a7da0e943c46b9557b5e69339b769455b95c0739b1a0ebc0e2c', '\x99eff2685f1850bb8d5a21100054659629d7f46a626407b25c12611adcc468a5');
INSERT INTO used_4 VALUES ('\x1593bb246e019c4e60387f38a1424f814fc052e4004d23a112002ccb0abf517b', '\xeb3e05386191c1b263241b6a5bfb07227afd47dda95de967f5ce6ba3cdc80587');
INSERT INTO used_4 VALUES ('\x1b66914be6f8fc64c135cac3c822125aa60da774ca29c6d56c38832ee856679f', '\xe27b8feeb4c3c0362be1fed005821e60d3a44e8ccd0ce27aa9aebc18fec71333');
INSERT INTO used_4 VALUES ('\x1cbd9adae9aca9951b1640e7c3cf96da5f6c687d3ead5d7b5d2ad7ae06fc4bef', '\x39b03d7eac2ae8a9b8f4646ab5f7b6a15fcc96cf9f9ccd1cc1ad60cd32f70ecf');
INSERT INTO used_4 VALUES ('\x2b033e271b2168827d75c5c70d7234639af3edc1001a78e21a37e7e883de9da4', '\x91590f8840c5039d70c3303b53de760c039fa8adaa76c9e379a7e1a0f6135e5f');
INSERT INTO used_4 VALUES ('\x2e1e934d756e4530daad06f8d993cf77e7557ff064ede836e062490064345652', '\xbd3c14a75673b7ced0f7cba1f281f79151c713d2839f406d4ed0d096321a2dce');
INSERT INTO used_4 VALUES ('\x319b17d0c276b1456fdb176755185684e13f4cb18df2e6e34abd43f3089a48c7', '\x2e0f908f6f9337630026195bcc3d6d3e7c0da9074f9c34cdb1632826abaa9765');
INSERT INTO used_4 VALUES ('\x3b56c702efb3c99188a41bb54bd28ed59e9689f705b1e17902b8ec92285a9115', '\xddbd30b76ba2e1e65fc49a3e8d7f810be75c6636008dc2d8b4715ba74d478bb6');
INSERT INTO used_4 VALUES ('\x4ef6e602f9e3c9c69801ca4b3236e8063433ffcf8f2e2d824732b6beca6b32b0', '\xe9e90e06d9e7e8d5f37ac3e6c815328fad9b2c484c6f47b4e496962cd84fd5f8');
INSERT INTO used_4 VALUES ('\x5595eeba6ab7da4b2d14c819af8a49db9cc9045cde7cd817949083a45eb74b9f', '\x22795d4010a9398d60cfba485c06f6d15038566fb8d366622b4f12075b70caa9');
INSERT INTO used_4 VALUES ('\x650889c600c4c6530ebde5a19632aeb8a14e17f018eed708a9db9c8d734b5424', '\x1ec614b5ce40d9f859914daab17b820331d06af9e8eeddd9a3097fe3648b9f95');
INSERT INTO used_4 VALUES ('\x87825a7cb7db8a52153a4bbdad5ae7cdfa429fb7ce4ceeef0ee59898279345ef', '\xb4ffd168d111ebe9e182e1e1954d0113570866fcc131c71840afb6f75e224816');
INSERT INTO used_4 VALUES ('\x94429d287b28c21358a94dae1d91e76d76422247dc29e9cca799a054d409cceb', '\x056240d710eb981e8b0f9b815fe6fa1452700674b4cdc3583eed1bd2aeff2dbb');
INSERT INTO used_4 VALUES ('\x9ae5c80a3626b0082049f342c717900922a77f374a82e259825e44e2e88b6929', '\x5d486db5715f5b9eb0b86be454301ff19f37f79d5960977e5a4dee917639c1db');
INSERT INTO used_4 VALUES ('\xa5da03272673f7789b5aff59ddff35a072f4173deaad370e5740a661a4c76ffe', '\xdcb5106402f2e79da5710485d54622509c99ffd70305d6b32be6a2cde9a2d4a1');
INSERT INTO used_4 VALUES ('\xbc2b6860df66a5a42dff606c4ea361b9f186d7bda3da6b7524f99ecf34942f7b', '\xed271696d2680a7d5016e74f71d75e12f3f99dd429b1f2465e04df12df71b3ac');
INSERT INTO used_4 VALUES ('\xc3ead923627a1ca73630308559f177345c89cdf700d396109ba1cd71f00a0cbd', '\xde6ebc59ed8d983408d0180de8a4da86805bf8a62921bf6285052be87d30a77a');
INSERT INTO used_4 VALUES ('\xc72e5b424c96895ffc387c5417ebb72cdaaaeaecc2f1fcc631b63cc393d6690e', '\x1fc19c1f81f72b7d8fb10187a56008be67889092dec2bfa569aa96b7db97ab2a');
INSERT INTO used_4 VALUES ('\xdd8620f4ded2e7a416bb19f5250a25ed9273f7515db91b6779469068b76ddcae', '\x1e2696af6b68e37068de9a586a1687d807853f9e522bfc3d8867f3a49d0abbcb');
INSERT INTO used_4 VALUES ('\xe0b516c378770c40f0638b1bbab0cd4004414cd1708d06735e68f197df1b0d3f', '\x87828ffd51e8ce0c72d44915c77ef54e6c0c8326840bbeca1db66e526f30f832');
INSERT INTO used_4 VALUES ('\xe43addc36c62ec4926a2d44d81508c15332492b19361c9095b328115b11b3b11', '\x0e372dd24bc01202f8e394fec8547e6b2e8e1aaabead4ab322f04a45e50295f8');
INSERT INTO used_4 VALUES ('\xe70656e4dc113b95159a8d9cc1e902125e89ac4276e6eb78894c6a6a554c723d', '\xf0d1f796db0c23d6e3708d464ffc525c4cc9bb0665fcdbe726fa6d1896b25d59');
INSERT INTO used_4 VALUES ('\xf03201db551729d0dbb6743b09e23045066ff4d5a63cd6184a5611a140211e13', '\xde9c1a3308b01e11411d74f35f7fd208ccd77458c0bc696e5363b9e753823df4');
INSERT INTO used_4 VALUES ('\xfa509552901976ecff46a779c55f9a5f04ee44d99bb0ca7c296a6ff7cb7beb79', '\x99e523571446cb719beeac4e3af16571ec897cdc8f20ef178b71daa2e557fb60');
INSERT INTO entries_4 VALUES ('\x1192b6f1b35d1b3c2294644bab85f7e7cfaf4c7bc88057e8cc9ccfaf34b8e8fd', 0, 0, '\x269372fba81b7ea8b02cffefa9f6b6ec', '\x040101', '\x2e1e934d756e4530daad06f8d993cf77e7557ff064ede836e062490064345652', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x12d2956c055c6a76a30bd87f1e7e0890a28a7d26598d127861789f73b1d39cd2', 0, 0, '\x80ed8a9c4ae45320e24443af2c834590', '\x040100', '\x1593bb246e019c4e60387f38a1424f814fc052e4004d23a112002ccb0abf517b', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x22e16aa887808b3b4d60139aa4d155ef10947acb24105db9555d17e45883b3ad', 0, 0, '\x917cad7d4d5d84a1b6b9abcdd07d67f6', '\x040200', '\xbc2b6860df66a5a42dff606c4ea361b9f186d7bda3da6b7524f99ecf34942f7b', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x230894e4b393275e07918bdd2275f3d01fe3c01eb3fdddb4a3a24d2248c5ed9e', 0, 0, '\x4cd1ffb5d4be81ba38bf00a6d2edb8a7', '\x020100', '\x109c10787c795a7da0e943c46b9557b5e69339b769455b95c0739b1a0ebc0e2c', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x2380b574c6015ba07da77ee55abc7a69bb96e25bfa2baf8ab775438924e117a3', 0, 0, '\x5c702f8715735138c091386e691f9087', '\x020100', '\xf03201db551729d0dbb6743b09e23045066ff4d5a63cd6184a5611a140211e13', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x30550abf8204877d35f691438657154dc33762918426a2d88b3bb7a816df1775', 1, 0, NULL, NULL, NULL, NULL, NULL, '\xcf063e220b52886a239e3f74367fcd66280ab30acacdd73c2d16af9463b8e9c2', NULL);
INSERT INTO entries_4 VALUES ('\x3078f1aa32f823317f67d4394734d50d1672416180fcbb5a022bd6931ee13b7d', 0, 0, '\x60b1964910a87c17a3bf161827041775', '\x010200', '\x3b56c702efb3c99188a41bb54bd28ed59e9689f705b1e17902b8ec92285a9115', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x30e8a28713f053e0d8c6f7ddbf838b09f881bd8c00d2cef50ca4f94765854320', 0, 0, '\x681d018f170eba8999a251589a93f361', '\x020100', '\x5595eeba6ab7da4b2d14c819af8a49db9cc9045cde7cd817949083a45eb74b9f', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x31bf1f339e51f51df9c2e7dbf29b8acfde06635fbcc5071516c35fb3d9d6b3f9', 0, 0, '\x42cc2f9a1f46f92bf930c0ac12a997f7', '\x040200', '\x1b66914be6f8fc64c135cac3c822125aa60da774ca29c6d56c38832ee856679f', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x3b01d543cf5ba171a9cc1f24118e36cafd8b9f6576b8841049e8ae60717a36cb', 0, 0, '\x12031989ae1e20a1aba4a98e4d4f1c82', '\x020100', '\x87825a7cb7db8a52153a4bbdad5ae7cdfa429fb7ce4ceeef0ee59898279345ef', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x3da537d8d18603690366a506fe573bddf0543e3d4b9e6ec387ad7e0577893d74', 0, 0, '\x31306d4e91ed41613de601b70a9b51bb', '\x010401', '\xe43addc36c62ec4926a2d44d81508c15332492b19361c9095b328115b11b3b11', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x49a73b18eee86c9a9e92a5cf0657de17ca60d4084c721a14e0e8fff300a42e9f', 0, 2, '\x149e6b6e52ed0a1e3d817824941eff67', '\x040101', '\xe0b516c378770c40f0638b1bbab0cd4004414cd1708d06735e68f197df1b0d3f', '\xa3817aeb394e130035dc13c03c3fd3bf6388de29a84c2e364ea654806a74a842', NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x49d28318c6dc3e73f898e3623ec4a5118d839c11be7793ce8f0fad0a536b9c30', 2, 0, NULL, NULL, NULL, NULL, NULL, '\x72b508388a81a279535e0278252ef5e1a0987af352d2b9464edc01417e372494', NULL);
INSERT INTO entries_4 VALUES ('\x567b7f2c46ada45f308eb4082c5c5f081e74db16950b6048870e029bd6e02875', 0, 0, '\xb34f5aa83113c5e3a5115582734c178b', '\x020100', '\x4ef6e602f9e3c9c69801ca4b3236e8063433ffcf8f2e2d824732b6beca6b32b0', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x81e84aca5eb38f3ef385869cc14a1ac7e8686f8c8df42faf4ea2f949b9b3cb79', 0, 0, '\xf2379bca7cb91b2065fa5444fbca347e', '\x040200', '\x9ae5c80a3626b0082049f342c717900922a77f374a82e259825e44e2e88b6929', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x93e41c02fa4198e65ec9b7783c64947079280810a45ee511495c3a24e06b00c8', 3, 0, NULL, NULL, NULL, NULL, NULL, NULL, '\xbc98717433178691cb900a167457822664d75609bdf20eb3d8a69430b156fb71');
INSERT INTO entries_4 VALUES ('\xa3817aeb394e130035dc13c03c3fd3bf6388de29a84c2e364ea654806a74a842', 1, 1, NULL, NULL, NULL, '\xba15ccf53f41c2386e517b3102f0951d4ab3c63c91190b7c35a406109014fc1f', NULL, '\x53e7f8b3169f1b27aacbc872f1799a634eb385945cb2f72d86ba50d7774872e8', NULL);
INSERT INTO entries_4 VALUES ('\xa9b5edd55f3af0f9a4622089d77ec4d3549390bbfbf74288250cf94bed114081', 0, 0, '\xf03a3083a00e07ef54d2aa4068a052ac', '\x010400', '\xe70656e4dc113b95159a8d9cc1e902125e89ac4276e6eb78894c6a6a554c723d', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xaa20a73685c34548c352168b156fd2d44d68481c38b06d20b0cb38d757825494', 0, 0, '\xe41a3d34aa37c55eaa74e965bc87e29b', '\x020100', '\xfa509552901976ecff46a779c55f9a5f04ee44d99bb0ca7c296a6ff7cb7beb79', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xba15ccf53f41c2386e517b3102f0951d4ab3c63c91190b7c35a406109014fc1f', 1, 0, NULL, NULL, NULL, NULL, NULL, '\x5144c7d61eabd581e2d7b5ab6e5fa1f4b1fa6407f3fbb52853e64034aa256dde', NULL);
INSERT INTO entries_4 VALUES ('\xbcab23c4043e70ff5bbcd076e3ee2a5ae33e1a4a257df204ce9d2b8c449c829c', 2, 1, NULL, NULL, NULL, '\x30550abf8204877d35f691438657154dc33762918426a2d88b3bb7a816df1775', NULL, '\xad5c20af39e85f20b71562da5d91350655b952c4f03833378a7fb75c359977be', NULL);
INSERT INTO entries_4 VALUES ('\xbd64ef25decd557dfd33e9cbcfa4699948fc5c9ac4c9799378d3de048750a1d1', 0, 0, '\x5d4ef5567739c141c1e7f1adef103f10', '\x020401', '\x650889c600c4c6530ebde5a19632aeb8a14e17f018eed708a9db9c8d734b5424', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xcb81ad5fd413527e3f605a256c430c47d6e3d8844315f697e0c1883da4a14cc5', 0, 1, '\x1d84541ab86697819d1bbe80e542039f', '\x040101', '\xdd8620f4ded2e7a416bb19f5250a25ed9273f7515db91b6779469068b76ddcae', '\xdde7765ea530a8e678cffb463615955460a6cd0b7dee275ae366fb7f48929538', NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xd284260ef568788be121ac4da282180d41d0fe2d76735772df21a0bfb4742767', 0, 0, '\x41cfcce28df942e621054c49b08be2c8', '\x040200', '\xc72e5b424c96895ffc387c5417ebb72cdaaaeaecc2f1fcc631b63cc393d6690e', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xdde7765ea530a8e678cffb463615955460a6cd0b7dee275ae366fb7f48929538', 1, 0, NULL, NULL, NULL, NULL, NULL, '\xc4bffe8faa00ab5fea2c62f85ed6ef9ece69d567894f20e2900a17bcaa2b9236', NULL);
INSERT INTO entries_4 VALUES ('\xe4c9ca76383d781d6baf20e85960914600f06881692875492146fd942f41cfe3', 0, 0, '\x2a6946408819e02d39e24a3d546ae018', '\x040100', '\xc3ead923627a1ca73630308559f177345c89cdf700d396109ba1cd71f00a0cbd', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xec2e321e0a76534c4b3aa417024db2309e84e839e7a7a01abc73e522b6e757a4', 0, 0, '\xe9bf3476fc7b7f2b1f729b7a92de6c60', '\x020401', '\x2b033e271b2168827d75c5c70d7234639af3edc1001a78e21a37e7e883de9da4', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xf63574170d4c58f8b2944b2c65f941757a98f39b399c08ac32bb185729b07bfa', 0, 0, '\x4b50aa08ed4f78f674a8439fc57fa801', '\x020400', '\x319b17d0c276b1456fdb176755185684e13f4cb18df2e6e34abd43f3089a48c7', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\xf785736a3efd01fc7e97ed6ec39420f3a0742f8486a800ff55383a68ae40afe8', 0, 0, '\xece5d033af096e153ace676b77ba112f', '\x010201', '\x0f82665ecbb9ec2eac7c81d4b9eacb9cde5f180a64cf189d9be8acbe14736dae', NULL, NULL, NULL, NULL);
INSERT INTO entries_4 VALUES ('\x451d0c27093fc8847e4aff5872e807631c48881d75aa4876406b524478cc0802', 3, 0, NULL, NULL, NULL, NULL, NULL, NULL, '\x76165ec28846f0b83f93aebf08fd430af73662d46382cd0975adc14ccc77cba0');
