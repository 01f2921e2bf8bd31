# json_schema.jq - what in a document is not as its JSON schema says: jq -n -f json_schema.jq
# --slurpfile s SCHEMA --slurpfile d DOCUMENT prints a line a problem. It knows the keywords that
# our schemas use, and names any other.
def kind: if type == "number" and . == floor then "integer" else type end;
def known: ["$schema", "$ref", "$defs", "title", "description", "type", "const", "enum",
	"required", "properties",
	"additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum"];
def check($root; $schema; $at):
	. as $value |
	(if $schema["$ref"] then $root["$defs"][$schema["$ref"] | ltrimstr("#/$defs/")]
		else $schema end) as $s |
	(($s | keys - known)[] | "\($at): the schema's \(.) is unknown here"),
	(select($s.type != null and
	([$s.type] | flatten | index($value | kind) == null and index($value | type) == null)) |
		"\($at): \($value | type), not \($s.type)"),
	(select($s | has("const") and .const != $value) | "\($at): not \($s.const)"),
	(select($s.enum and ($s.enum | index([$value]) == null)) | "\($at): not one of \($s.enum)"),
	(select(type == "number") |
		(select($s.minimum and $value < $s.minimum) | "\($at): less than \($s.minimum)"),
		(select($s.maximum and $value > $s.maximum) | "\($at): more than \($s.maximum)")),
	(select(type == "array" and (length < ($s.minItems // 0) or
		($s.maxItems and length > $s.maxItems))) | "\($at): \(length) of them"),
	(select(type == "object") |
		(($s.required // [])[] | select(. as $key | $value | has($key) | not) |
			"\($at): no \(.)"),
		(keys[] as $key | if $s.properties | has($key) then .[$key] |
		check($root; $s.properties[$key]; "\($at).\($key)")
			elif $s.additionalProperties == false
				then "\($at): \($key) is not in the schema" else empty end)),
	(select(type == "array" and $s.items) | range(length) as $i | .[$i] |
	check($root; $s.items; "\($at)[\($i)]"));
$d[0] | check($s[0]; $s[0]; "$")
