"""Recorded runs from Python: dataframes of each kind in and out, and what a release says of itself."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.recorded.run import Run

READ = {
    "pandas": "data = pd.read_csv('in/people.csv')",
    "pandas, types": "data = pd.read_parquet('in/people.parquet')",
    "pandas, index": "data = pd.read_csv('in/people.csv').set_index('income')",
    "polars": "data = pl.read_csv('in/people.csv')",
    "polars, types": "data = pl.read_parquet('in/people.parquet')",
    "polars, lazy": "data = pl.scan_csv('in/people.csv')",
    "pyarrow": "data = pl.read_csv('in/people.csv').to_arrow()",
    "pyarrow, types": "data = pa.parquet.read_table('in/people.parquet')",
    "stream": "data = pa.RecordBatchReader.from_batches(t.schema, t.to_batches(50)) if (t := pa.parquet.read_table('in/people.parquet')) else 0",
    "path": "data = 'in/people.parquet'",
    "gaps": "data = pd.read_csv('in/gaps.csv')",
    "lists": "data = pl.read_csv('in/people.csv').with_columns(l=pl.concat_list('age', 'income'))",
}
ASKED = "k=3, quasi_identifiers=['age', 'sex', 'job'], sensitive=['illness'], effort=0.03"
TELL = "say(r.loss, r.lower_bound, r.ratio, r.notes if hasattr(r, 'notes') else '')\nsay_frame(r.table)\nsay_json(r.manifest)\nsay_json(r.record)\n"
MORE = {
    "verify": "v = shoal.verify(data, r.table, k=3, quasi_identifiers=['age', 'sex', 'job'])\nsay(v.loss, v.n_groups, v.smallest_group, v.measures)",
    "measure": "m = shoal.measure(data, r.table, quasi_identifiers=['age', 'sex', 'job'])\nsay(m)",
    "write": "r.write('a.csv'); r.write('b.parquet'); r.write('c.csv.gz', form='bounds')",
    "reports": "r.report('r.json'); r.owner_report('o.json')",
    "read": "x = shoal.read(r)\nsay(x.count(sex='f'), x.mean('age'))\nsay_frame(x.table('sex', 'job'))",
    "again": "say_frame(shoal.anonymize(data, k=3, quasi_identifiers=['age'], effort=0.03, keep_order=False).table)",
    "suggest": "say(shoal.suggest(data))",
    "groups": "say(r.groups)",
    "policy": "say(r.policy.toml())",
}
REFUSED = {
    "no data": "shoal.anonymize(3, k=2, quasi_identifiers=['a'])",
    "no columns": "shoal.anonymize('in/six.csv', k=2)",
    "no argument": "shoal.anonymize('in/six.csv', k=2, quasi_identifier=['age'])",
    "k of a word": "shoal.anonymize('in/six.csv', k='two', quasi_identifiers=['age'])",
    "a tree for nobody": "shoal.anonymize('in/six.csv', k=2, quasi_identifiers=['age'], hierarchies={'job': shoal.suppression()})",
    "an empty frame": "shoal.anonymize(pl.DataFrame({'a': []}), k=2, quasi_identifiers=['a'])",
    "too few": "shoal.anonymize('in/six.csv', k=7, quasi_identifiers=['age'])",
    "a false release": "shoal.verify('in/six.csv', 'in/six.csv', k=2, quasi_identifiers=['age'])",
    "lists": "shoal.anonymize(pl.DataFrame({'a': [[1], [2]]}), k=2, quasi_identifiers=['a'])",
}
STAGED = {
    "stage": "with shoal.api.stage('in/people.csv', 'out.csv', engine='files', k=3, quasi_identifiers=['age'], effort=0.03) as r:\n    say_json(r.manifest)\n    r.write()",
    "publish": "r = shoal.publish('in/people.csv', 'out.parquet', engine='memory', k=3, quasi_identifiers=['age'], effort=0.03)\nsay_json(r.record)",
    "publish files": "r = shoal.publish('in/people.parquet', 'out.csv', engine='files', k=3, quasi_identifiers=['age', 'sex'], effort=0.03)\nsay_json(r.record)",
    "cluster": "c = shoal.cluster('in/people.csv', method='gather', r=5, quasi_identifiers=['age', 'sex'])\nsay_frame(c.table)\nsay(c.cost, c.lower_bound, c.ratio)",
    "assess": "say(shoal.assess('in/people.csv', quasi_identifiers=['age', 'sex']))",
    "explore": "say(shoal.explore('in/few.csv', k=[2, 3], quasi_identifiers=['age', 'sex']))",
    "builders": "r = shoal.anonymize('in/people.csv', k=3, effort=0.03, quasi_identifiers=['age', 'mood', 'hour'], hierarchies={'age': shoal.intervals(5, 10), 'mood': shoal.neighbours(['low', 'medium', 'high']), 'hour': shoal.times()})\n"
    + TELL,
    "sqlite connection": "import sqlite3\nc = sqlite3.connect('in/people.db')\nr = shoal.anonymize(shoal.source(c, table='people'), "
    + ASKED
    + ")\n"
    + TELL
    + "c.close()",
}


def all_of_them() -> Iterator[Run]:
    for name, read in READ.items():
        for said, more in {"plain": "", "suppressed": ", suppression_only=True"}.items():
            yield Run(f"python {name}, {said}", (f"{read}\nr = shoal.anonymize(data, {ASKED}{more})\n{TELL}",))
    for kind in ("pandas", "polars", "pyarrow, types"):
        for name, more in MORE.items():
            yield Run(f"python {kind}, {name}", (f"{READ[kind]}\nr = shoal.anonymize(data, {ASKED})\n{more}",))
    for name, code in {**STAGED, **{f"refused, {name}": code for name, code in REFUSED.items()}}.items():
        yield Run(f"python {name}", (code,))
