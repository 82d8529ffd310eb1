"""The graph that the benign corpus is written for: films, people, cities, the same in Chinese, and a label that looks like a statement."""

from knowledge.database.connection import Database
from knowledge.reading.introspect import introspect
from knowledge.reading.kg import Kg
from tests.conftest import wipe
from tests.knowledge.reading.world import NOW

_FILMS = """
UNWIND [['Ann', 1970, 500, 'Paris'], ['Bob', 1970, 300, 'Rome'], ['Tom Hanks', 1956, 900, 'Paris'], ['Eve', null, null, 'Rome']] AS row
CREATE (p:Person {name: row[0], born: row[1], salary: row[2], email: row[0] + '@example.org'})
MERGE (c:City {name: row[3]}) ON CREATE SET c.population = 10 * row[1], c.country = CASE row[3] WHEN 'Paris' THEN 'FR' ELSE 'IT' END
CREATE (p)-[:LIVES_IN]->(c)
WITH collect(p) AS ps
UNWIND [['The Matrix', 1999, 8.7, 463, ['Drama', 'Action']], ['Cast Away', 2003, 7.8, 429, ['Drama']], ['Up', 2009, 8.3, 735, ['Family']]] AS film
CREATE (m:Movie {title: film[0], released: film[1], rating: film[2], revenue: film[3] * 1000000, genres: film[4], tagline: 'see it'})
FOREACH (p IN ps[0..2] | CREATE (p)-[:ACTED_IN {roles: ['Neo'], since: film[1]}]->(m))
FOREACH (p IN ps[2..3] | CREATE (p)-[:DIRECTED]->(m) CREATE (p)-[:ACTED_IN {roles: [], since: 1990}]->(m))
FOREACH (name IN film[4] | MERGE (g:Genre {name: name}) CREATE (m)-[:IN_GENRE]->(g))
"""
_REST = """
MATCH (a:Person {name: 'Ann'}) MATCH (b:Person {name: 'Bob'}) MATCH (t:Person {name: 'Tom Hanks'})
CREATE (a)-[:KNOWS {since: 2010}]->(b)-[:KNOWS {since: 2012}]->(t)-[:KNOWS {since: 2010}]->(a)
CREATE (:`Delete Log` {`create date`: '2020'})
CREATE (z:人物 {姓名: '张艺谋', 生年: 1950})-[:导演]->(:电影 {片名: '活着', 年份: 1994})
CREATE (z)-[:导演]->(:电影 {片名: '英雄', 年份: 2002}) CREATE (:人物 {姓名: '陈凯歌', 生年: 1952})
"""


def films(database: Database) -> Kg:
    """The graph as a native kg whose profile was looked up, so that a scope over its namespace is the whole database."""
    wipe(database)
    database.write(_FILMS)
    database.write(_REST)
    return Kg(database, introspect(database, "films"), now=lambda: NOW)
