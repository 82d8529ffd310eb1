BEGIN TRANSACTION;
CREATE TABLE counters (
	namespace VARCHAR(64) NOT NULL, 
	episodes INTEGER NOT NULL, 
	facts INTEGER NOT NULL, 
	bytes INTEGER NOT NULL, 
	PRIMARY KEY (namespace)
);
CREATE TABLE delegations (
	id VARCHAR(36) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	actor VARCHAR(64) NOT NULL, 
	namespace VARCHAR(64) NOT NULL, 
	uses INTEGER NOT NULL, 
	until FLOAT NOT NULL, 
	revoked FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE events (
	seq INTEGER NOT NULL, 
	event_id VARCHAR(36) NOT NULL, 
	at VARCHAR(36) NOT NULL, 
	kind VARCHAR(64) NOT NULL, 
	receipt VARCHAR(36) NOT NULL, 
	namespace VARCHAR(64) NOT NULL, 
	principal VARCHAR(64) NOT NULL, 
	about TEXT NOT NULL, 
	payload VARCHAR(64) NOT NULL, 
	previous VARCHAR(64) NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	PRIMARY KEY (seq), 
	UNIQUE (event_id)
);
INSERT INTO "events" VALUES(1,'670d3b5dd4a94e2ba8671301e5ce7207','2026-01-01T00:00:00.000002+00:00','submitted','ac239f8bb984407cb386290a754f5a7b','lessons','bot','{"code": "ok", "outcome": "accept"}','c9f62e8a918d68c191124355dcd35564175e41e5973f08b4b08530a43756a24f','0000000000000000000000000000000000000000000000000000000000000000','2ed17f87be9cf500919dada036757a6456186810667f00434de450c753156fa8');
INSERT INTO "events" VALUES(2,'3eee30b059c548738c45bcc3109e352c','2026-01-01T00:00:00.000002+00:00','submitted','7eef0ea9d6de45e283fcd4681e3e06fb','lessons','bot','{"code": "ok", "outcome": "accept"}','476c67f3c1352978aebd2a2ab026a592db9bdb8c6486203ec2a32e074fc492df','2ed17f87be9cf500919dada036757a6456186810667f00434de450c753156fa8','29abfaacb7a6fb0699a037df869bdb59f3469ad0384c87bf402d3e5ed9624c8e');
INSERT INTO "events" VALUES(3,'bd971da9b16f43bcb30d8f1661aa28f4','2026-01-01T00:00:00.000002+00:00','submitted','ad62405ac8214a09afd662d6d6c7596c','lessons','bot','{"code": "ok", "outcome": "accept"}','e8aa5eb1d72610eade57268482e1795ddca914f4ed1278a4a754d2ee670f36b7','29abfaacb7a6fb0699a037df869bdb59f3469ad0384c87bf402d3e5ed9624c8e','f09c6ed3a06978731df8104c56f00e5b4137c9375e40f91f069cca76a2c022f9');
INSERT INTO "events" VALUES(4,'831713eb7d204e5caeb822317ef73d32','2026-01-01T00:00:00.000003+00:00','submitted','f8c94cc144054d5993769ae55035588e','guide','bot','{"code": "approval", "outcome": "review"}','6f191b88b8ca01931bdde710ba057bbcaa8a0b570af26583c36c6a2baafc02c2','f09c6ed3a06978731df8104c56f00e5b4137c9375e40f91f069cca76a2c022f9','867c571a0f3beb96f31599bd5e981f98397ad5d95b48e547bcd0a76dc5d21241');
CREATE TABLE head (
	"only" INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	PRIMARY KEY ("only")
);
INSERT INTO "head" VALUES(1,4,'867c571a0f3beb96f31599bd5e981f98397ad5d95b48e547bcd0a76dc5d21241');
CREATE TABLE keys (
	"key" VARCHAR(64) NOT NULL, 
	receipt VARCHAR(36) NOT NULL, 
	payload VARCHAR(64) NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "keys" VALUES('40605583357da0f1c235c4b60598e3dd76be27b0a41b55e94e3aaae3bfd69620','ac239f8bb984407cb386290a754f5a7b','f5385186115e9cc19a39a535ee61be632bcb8da0eeee4486d3ed4b32c6e02092');
INSERT INTO "keys" VALUES('bf5ae43cf753fce21a69dc1bda6dededa1773492c13fb1330bb2d9aa1ca10977','7eef0ea9d6de45e283fcd4681e3e06fb','1975833798b7fdd7f083606dc2e3967411469677ea0a5cd29abf5932640d99d5');
INSERT INTO "keys" VALUES('da9ccc730a6a8b50357005a9250e1eae9d9ac67dc8c6a900dc134a0c4b490ffd','ad62405ac8214a09afd662d6d6c7596c','fe79e66e8b71fe9a109bde147a56904e691e7030fe65cadad5cab30a313ee288');
INSERT INTO "keys" VALUES('417d8ac2d76bb1f8b763adad8b3b15e82d00af89edca67d04cfd2cb233ba8670','f8c94cc144054d5993769ae55035588e','929c89f0ef6e814ce9a8b578408659eb964c40d638bfde158d068f49ed317e79');
CREATE TABLE leases (
	namespace VARCHAR(64) NOT NULL, 
	owner VARCHAR(36) NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (namespace)
);
CREATE TABLE payloads (
	hash VARCHAR(64) NOT NULL, 
	salt VARCHAR(64), 
	body TEXT, 
	PRIMARY KEY (hash)
);
INSERT INTO "payloads" VALUES('c9f62e8a918d68c191124355dcd35564175e41e5973f08b4b08530a43756a24f','3db4bcf7a50fb4cddb585801e04eb796','{"proposal": {"episode_body": "lesson 0 of an older journal", "group_id": "lessons", "idempotency_key": "", "name": "Lesson: Neo4j - lesson 0 of an older journal", "operations": [], "source": "text", "source_description": "a run", "valid_at": ""}, "provenance": {}, "verdict": {"advice": [], "code": "ok", "message": "", "outcome": "accept", "suggestion": ""}}');
INSERT INTO "payloads" VALUES('476c67f3c1352978aebd2a2ab026a592db9bdb8c6486203ec2a32e074fc492df','6d7b328c4b1d35ed24060015d29efef2','{"proposal": {"episode_body": "lesson 1 of an older journal", "group_id": "lessons", "idempotency_key": "", "name": "Lesson: Neo4j - lesson 1 of an older journal", "operations": [], "source": "text", "source_description": "a run", "valid_at": ""}, "provenance": {}, "verdict": {"advice": [], "code": "ok", "message": "", "outcome": "accept", "suggestion": ""}}');
INSERT INTO "payloads" VALUES('e8aa5eb1d72610eade57268482e1795ddca914f4ed1278a4a754d2ee670f36b7','8d8640dcb4c2d3b0ba8776745ab3c760','{"proposal": {"episode_body": "lesson 2 of an older journal", "group_id": "lessons", "idempotency_key": "", "name": "Lesson: Neo4j - lesson 2 of an older journal", "operations": [], "source": "text", "source_description": "a run", "valid_at": ""}, "provenance": {}, "verdict": {"advice": [], "code": "ok", "message": "", "outcome": "accept", "suggestion": ""}}');
INSERT INTO "payloads" VALUES('6f191b88b8ca01931bdde710ba057bbcaa8a0b570af26583c36c6a2baafc02c2','e1dff3b7865f96b07719356ffe47061b','{"proposal": {"episode_body": "Start the server, then load.", "group_id": "guide", "idempotency_key": "", "name": "Lesson: Neo4j - Start the server, then load.", "operations": [], "source": "text", "source_description": "a run", "valid_at": ""}, "provenance": {}, "verdict": {"advice": [], "code": "approval", "message": "every write to guide needs the approval of a person", "outcome": "review", "suggestion": ""}}');
CREATE TABLE principals (
	id VARCHAR(64) NOT NULL, 
	kind VARCHAR(64) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	grants TEXT NOT NULL, 
	added_by VARCHAR(64) NOT NULL, 
	added VARCHAR(36) NOT NULL, 
	revoked VARCHAR(36) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (token)
);
CREATE TABLE work (
	receipt VARCHAR(36) NOT NULL, 
	seq INTEGER NOT NULL, 
	namespace VARCHAR(64) NOT NULL, 
	status VARCHAR(64) NOT NULL, 
	principal VARCHAR(64) NOT NULL, 
	payload VARCHAR(64) NOT NULL, 
	content VARCHAR(64) NOT NULL, 
	facts INTEGER NOT NULL, 
	bytes INTEGER NOT NULL, 
	amended_by VARCHAR(64) NOT NULL, 
	delegation VARCHAR(36) NOT NULL, 
	resolved VARCHAR(36) NOT NULL, 
	placed INTEGER NOT NULL, 
	priority INTEGER NOT NULL, 
	attempts INTEGER NOT NULL, 
	not_before FLOAT NOT NULL, 
	expires FLOAT NOT NULL, 
	why TEXT NOT NULL, 
	PRIMARY KEY (receipt)
);
INSERT INTO "work" VALUES('ac239f8bb984407cb386290a754f5a7b',1,'lessons','accepted','bot','c9f62e8a918d68c191124355dcd35564175e41e5973f08b4b08530a43756a24f','4a23e0d9c01bfbb9c37b652d0e8fff75f933b76a425bcd4382531827b5429448',0,77,'','','',0,0,0,0.0,0.0,'');
INSERT INTO "work" VALUES('7eef0ea9d6de45e283fcd4681e3e06fb',2,'lessons','accepted','bot','476c67f3c1352978aebd2a2ab026a592db9bdb8c6486203ec2a32e074fc492df','0e15b49cdbbf98f3a385e71763a312fb5afe5d6ecdfa1af5014fb0dc0df3d398',0,77,'','','',0,0,0,0.0,0.0,'');
INSERT INTO "work" VALUES('ad62405ac8214a09afd662d6d6c7596c',3,'lessons','accepted','bot','e8aa5eb1d72610eade57268482e1795ddca914f4ed1278a4a754d2ee670f36b7','af619de83cd7db39510306fe36080784f6c32afce14371cb01a513387bec2349',0,77,'','','',0,0,0,0.0,0.0,'');
INSERT INTO "work" VALUES('f8c94cc144054d5993769ae55035588e',4,'guide','review','bot','6f191b88b8ca01931bdde710ba057bbcaa8a0b570af26583c36c6a2baafc02c2','c617da33dacab46c624acf7a44cc95482fd80af6b7bf702654ad64693310f8f8',0,77,'','','',0,0,0,0.0,1.76843520000000309941e+09,'');
CREATE INDEX events_kind ON events (kind, seq);
CREATE INDEX events_receipt ON events (receipt, seq);
CREATE INDEX work_content ON work (namespace, content);
CREATE INDEX work_open ON work (status, namespace, priority, seq);
CREATE INDEX delegations_actor ON delegations (actor, namespace);
COMMIT;
