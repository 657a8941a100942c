// pg_jsonschema: validates JSON by the keywords of JSON Schema, as drafts 4 to 2020-12 have them. `format` is a comment.

/** Keywords that depend on other parts of the validation, or on other documents. */
const UNSUPPORTED = ['$dynamicRef', '$recursiveRef', 'unevaluatedItems', 'unevaluatedProperties']

export const JSONSCHEMA_SCRIPT = `
create function _jsonschema_type_is(value jsonb, name text) returns boolean language sql immutable as $$
  select case name when 'integer' then jsonb_typeof(value) = 'number' and trunc((value #>> '{}')::numeric) = (value #>> '{}')::numeric
    else jsonb_typeof(value) = name end
$$;

create function _jsonschema_ref(root jsonb, ref text) returns jsonb language plpgsql immutable as $$
declare
  path text[];
begin
  if left(ref, 1) <> '#' or ref !~ '^#(/|$)' then
    raise feature_not_supported using message = format('pg_jsonschema of the embedded backend does not follow "$ref": "%s"', ref),
      hint = 'Only references into the same schema work, such as "#/$defs/name".';
  end if;
  select array_agg(replace(replace(replace(part, '%25', '%'), '~1', '/'), '~0', '~') order by place) into path
  from regexp_split_to_table(substr(ref, 3), '/') with ordinality as parts (part, place) where substr(ref, 3) <> '';
  if path is null then return root; end if;
  if root #> path is null then
    raise invalid_parameter_value using message = format('the JSON schema has no %s', ref);
  end if;
  return root #> path;
end $$;

-- Errors of a value, as many as there are.
create function _jsonschema_errors(root jsonb, schema jsonb, value jsonb) returns text[] language plpgsql immutable as $$
#variable_conflict use_variable
declare
  errors text[] := '{}';
  kind text := jsonb_typeof(value);
  number numeric := case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric end;
  letters text := case when jsonb_typeof(value) = 'string' then value #>> '{}' end;
  keyword text;
  rule jsonb;
  key text;
  part jsonb;
  place bigint;
  fits int;
  first_items int := 0;
  known boolean;
begin
  if schema = 'true' then return errors; end if;
  if schema = 'false' then return array[format('False schema does not allow %s', value)]; end if;
  for keyword, rule in select * from jsonb_each(schema) loop
    case keyword
      when ${UNSUPPORTED.map(name => `'${name}'`).join(', ')} then
        raise feature_not_supported using message = format('pg_jsonschema of the embedded backend has no "%s"', keyword);
      when '$ref' then
        errors := errors || @extschema@._jsonschema_errors(root, @extschema@._jsonschema_ref(root, rule #>> '{}'), value);
      when 'type' then
        if not exists (
          select from jsonb_array_elements_text(case jsonb_typeof(rule) when 'array' then rule else jsonb_build_array(rule) end) as t (name)
          where @extschema@._jsonschema_type_is(value, t.name)
        ) then
          errors := errors || case jsonb_typeof(rule)
            when 'string' then format('%s is not of type "%s"', value, rule #>> '{}')
            else format('%s is not of types %s', value, (select string_agg(name::text, ', ') from jsonb_array_elements(rule) as t (name))) end;
        end if;
      when 'enum' then
        if not exists (select from jsonb_array_elements(rule) as one where one = value) then
          errors := errors || format('%s is not one of %s', value, rule);
        end if;
      when 'const' then
        if rule <> value then errors := errors || format('%s was expected', rule); end if;
      when 'multipleOf' then
        if number % (rule #>> '{}')::numeric <> 0 then errors := errors || format('%s is not a multiple of %s', value, rule); end if;
      when 'minimum' then
        if number < (rule #>> '{}')::numeric then
          errors := errors || format('%s is less than the minimum of %s', value, rule);
        elsif schema -> 'exclusiveMinimum' = 'true' and number = (rule #>> '{}')::numeric then
          errors := errors || format('%s is less than or equal to the minimum of %s', value, rule);
        end if;
      when 'maximum' then
        if number > (rule #>> '{}')::numeric then
          errors := errors || format('%s is greater than the maximum of %s', value, rule);
        elsif schema -> 'exclusiveMaximum' = 'true' and number = (rule #>> '{}')::numeric then
          errors := errors || format('%s is greater than or equal to the maximum of %s', value, rule);
        end if;
      when 'exclusiveMinimum' then
        if jsonb_typeof(rule) = 'number' and number <= (rule #>> '{}')::numeric then
          errors := errors || format('%s is less than or equal to the minimum of %s', value, rule);
        end if;
      when 'exclusiveMaximum' then
        if jsonb_typeof(rule) = 'number' and number >= (rule #>> '{}')::numeric then
          errors := errors || format('%s is greater than or equal to the maximum of %s', value, rule);
        end if;
      when 'minLength' then
        if length(letters) < (rule #>> '{}')::numeric then errors := errors || format('%s is shorter than %s characters', value, rule); end if;
      when 'maxLength' then
        if length(letters) > (rule #>> '{}')::numeric then errors := errors || format('%s is longer than %s characters', value, rule); end if;
      when 'pattern' then
        if letters !~ (rule #>> '{}') then errors := errors || format('%s does not match %s', value, rule); end if;
      when 'allOf' then
        for part in select * from jsonb_array_elements(rule) loop
          errors := errors || @extschema@._jsonschema_errors(root, part, value);
        end loop;
      when 'anyOf', 'oneOf' then
        select count(*) into fits from jsonb_array_elements(rule) as one
        where @extschema@._jsonschema_errors(root, one, value) = '{}';
        if fits = 0 then
          errors := errors || format('%s is not valid under any of the schemas listed in the ''%s'' keyword', value, keyword);
        elsif keyword = 'oneOf' and fits > 1 then
          errors := errors || format('%s is valid under more than one of the schemas listed in the ''oneOf'' keyword', value);
        end if;
      when 'not' then
        if @extschema@._jsonschema_errors(root, rule, value) = '{}' then errors := errors || format('%s is not allowed for %s', rule, value); end if;
      when 'if' then
        key := case when @extschema@._jsonschema_errors(root, rule, value) = '{}' then 'then' else 'else' end;
        if schema ? key then errors := errors || @extschema@._jsonschema_errors(root, schema -> key, value); end if;
      else
        null;
    end case;
    if kind = 'array' then
      case keyword
        when 'minItems' then
          if jsonb_array_length(value) < (rule #>> '{}')::numeric then errors := errors || format('%s has less than %s items', value, rule); end if;
        when 'maxItems' then
          if jsonb_array_length(value) > (rule #>> '{}')::numeric then errors := errors || format('%s has more than %s items', value, rule); end if;
        when 'uniqueItems' then
          if rule = 'true' and (select count(*) <> count(distinct one) from jsonb_array_elements(value) as one) then
            errors := errors || format('%s has non-unique elements', value);
          end if;
        when 'contains' then
          select count(*) into fits from jsonb_array_elements(value) as one
          where @extschema@._jsonschema_errors(root, rule, one) = '{}';
          if fits < coalesce((schema ->> 'minContains')::numeric, 1) or fits > coalesce((schema ->> 'maxContains')::numeric, fits) then
            errors := errors || format('None of %s are valid under the given schema', value);
          end if;
        when 'prefixItems', 'items', 'additionalItems' then
          first_items := coalesce(jsonb_array_length(case
            when jsonb_typeof(schema -> 'prefixItems') = 'array' then schema -> 'prefixItems'
            when jsonb_typeof(schema -> 'items') = 'array' then schema -> 'items' end), 0);
          for part, place in select * from jsonb_array_elements(value) with ordinality loop
            if jsonb_typeof(rule) = 'array' then
              if place <= first_items then
                errors := errors || @extschema@._jsonschema_errors(root, rule -> (place - 1)::int, part);
              end if;
            elsif place > first_items and (keyword = 'items' or jsonb_typeof(schema -> 'items') = 'array') then
              errors := errors || @extschema@._jsonschema_errors(root, rule, part);
            end if;
          end loop;
        else
          null;
      end case;
    elsif kind = 'object' then
      case keyword
        when 'minProperties' then
          if (select count(*) from jsonb_object_keys(value)) < (rule #>> '{}')::numeric then
            errors := errors || format('%s has less than %s properties', value, rule);
          end if;
        when 'maxProperties' then
          if (select count(*) from jsonb_object_keys(value)) > (rule #>> '{}')::numeric then
            errors := errors || format('%s has more than %s properties', value, rule);
          end if;
        when 'required' then
          if jsonb_typeof(rule) = 'array' then
            for key in select * from jsonb_array_elements_text(rule) loop
              if not value ? key then errors := errors || format('"%s" is a required property', key); end if;
            end loop;
          end if;
        when 'properties' then
          for key, part in select * from jsonb_each(rule) loop
            if value ? key then errors := errors || @extschema@._jsonschema_errors(root, part, value -> key); end if;
          end loop;
        when 'patternProperties' then
          for key, part in select * from jsonb_each(rule) loop
            errors := errors || coalesce((select array_agg(error) from jsonb_each(value) as pair (name, one),
              unnest(@extschema@._jsonschema_errors(root, part, one)) as error where name ~ key), '{}');
          end loop;
        when 'additionalProperties' then
          for key, part in select * from jsonb_each(value) loop
            known := coalesce(schema -> 'properties' ? key, false)
              or exists (select from jsonb_object_keys(coalesce(schema -> 'patternProperties', '{}')) as pattern where key ~ pattern);
            if not known and rule = 'false' then
              errors := errors || format('Additional properties are not allowed (''%s'' was unexpected)', key);
            elsif not known then
              errors := errors || @extschema@._jsonschema_errors(root, rule, part);
            end if;
          end loop;
        when 'propertyNames' then
          for key in select * from jsonb_object_keys(value) loop
            errors := errors || @extschema@._jsonschema_errors(root, rule, to_jsonb(key));
          end loop;
        when 'dependencies', 'dependentRequired', 'dependentSchemas' then
          for key, part in select * from jsonb_each(rule) loop
            if value ? key then
              errors := errors || @extschema@._jsonschema_errors(root,
                case jsonb_typeof(part) when 'array' then jsonb_build_object('required', part) else part end, value);
            end if;
          end loop;
        else
          null;
      end case;
    end if;
  end loop;
  return errors;
end $$;

create function json_matches_schema(schema json, instance json) returns boolean language sql immutable strict as $$
  select @extschema@._jsonschema_errors(schema::jsonb, schema::jsonb, instance::jsonb) = '{}'
$$;
create function jsonb_matches_schema(schema json, instance jsonb) returns boolean language sql immutable strict as $$
  select @extschema@._jsonschema_errors(schema::jsonb, schema::jsonb, instance) = '{}'
$$;
create function jsonschema_validation_errors(schema json, instance json) returns text[] language sql immutable strict as $$
  select @extschema@._jsonschema_errors(schema::jsonb, schema::jsonb, instance::jsonb)
$$;
create function jsonschema_is_valid(schema json) returns boolean language sql immutable strict as $$
  select jsonb_typeof(schema::jsonb) in ('object', 'boolean') and @extschema@._jsonschema_errors('{}', '{
    "properties": {
      "type": {"anyOf": [{"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
        {"type": "array", "minItems": 1, "items": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}}]},
      "enum": {"type": "array"}, "required": {"type": ["array", "boolean"], "items": {"type": "string"}},
      "properties": {"type": "object", "additionalProperties": {"type": ["object", "boolean"]}},
      "items": {"type": ["object", "boolean", "array"]}, "additionalProperties": {"type": ["object", "boolean"]},
      "allOf": {"type": "array", "minItems": 1}, "anyOf": {"type": "array", "minItems": 1}, "oneOf": {"type": "array", "minItems": 1},
      "not": {"type": ["object", "boolean"]}, "pattern": {"type": "string"}, "$ref": {"type": "string"},
      "minLength": {"type": "integer", "minimum": 0}, "maxLength": {"type": "integer", "minimum": 0},
      "minItems": {"type": "integer", "minimum": 0}, "maxItems": {"type": "integer", "minimum": 0},
      "minimum": {"type": "number"}, "maximum": {"type": "number"}, "multipleOf": {"type": "number", "exclusiveMinimum": 0}
    }}', schema::jsonb) = '{}'
$$;`
