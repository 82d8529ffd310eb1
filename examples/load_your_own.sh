#!/bin/sh
# Your own triples, with dates and sources, into a namespace of their own; then a question about them.
set -eu
cat > staff.csv <<'CSV'
subject,relation,object,valid_from,valid_to,source
Ada Okafor,works for,Northwind Analytics,2019,2022,register
Ada Okafor,works for,Southbank Data,2023,,register
Southbank Data,owned by,Northwind Analytics,2021-06,,annual report
CSV
gavel load staff.csv --namespace staff
gavel ask "Who owns Southbank Data?" --namespace staff
gavel ask "Where did Ada Okafor work?" --namespace staff --as-of 2020
