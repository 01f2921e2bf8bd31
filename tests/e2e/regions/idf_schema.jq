# idf_schema.jq - says what of a JSON value violates a JSON schema, one line for each violation. It
# knows the keywords that idf.schema.json uses. What the schema does not describe violates it, too.
#     jq -r --slurpfile schema S.json -f idf_schema.jq VALUE

def kind: if type == "number" and floor == . then "integer" else type end;
def resolved($root): if has("$ref") then .["$ref"] | ltrimstr("#/") | split("/") as $path |
	$root | getpath($path) else . end;

def faults($schema; $root; $at):
	. as $value | ($schema | resolved($root)) as $s
	| (if $s.type and $s.type != kind and
		([$s.type, kind] != ["number", "integer"])
			then "\($at): a \(kind), not \($s.type)" else empty end),
	  (if ($s | has("const")) and $s.const != $value
		then "\($at): not \($s.const)" else empty end),
	  (if ($s | has("minimum")) and $value < $s.minimum
		then "\($at): less than \($s.minimum)" else empty end),
	  (if type == "object" then
		($s.required[]? | select(. as $key | $value | has($key) | not) | "\($at): no \(.)"),
		(keys[] as $key | ($s.properties[$key] // $s.additionalProperties) as $of
		 | if $of then .[$key] | faults($of; $root; "\($at).\($key)")
			else "\($at): \($key) is not described" end)
	   elif type == "array" and $s.items then
		range(length) as $i | .[$i] | faults($s.items; $root; "\($at)[\($i)]")
	   else empty end);

$schema[0] as $root | faults($root; $root; "")
