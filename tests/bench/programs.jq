# What jq usually does: objects, groups, sums, sorting, text.
[range(400000) | {id: ., name: "n\(. % 97)", value: (. * 7919 % 1013)}]
| group_by(.name)
| map({name: .[0].name, n: length, sum: (map(.value) | add), text: (map("\(.id)") | join(","))})
| sort_by(.sum)
| map("\(.name) \(.n) \(.sum) \(.text | split(",") | map(tonumber) | max)")
| join("\n")
