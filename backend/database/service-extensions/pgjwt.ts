// pgjwt: signs and verifies JSON Web Tokens with a shared secret.

export const PGJWT_SCRIPT = `
create function url_encode(data bytea) returns text language sql immutable as $$
  select translate(encode(data, 'base64'), e'+/=\\n', '-_')
$$;
create function url_decode(data text) returns bytea language sql immutable as $$
  select decode(rpad(translate(data, '-_', '+/'), 4 * ceil(length(data) / 4.0)::int, '='), 'base64')
$$;
create function algorithm_sign(signables text, secret text, algorithm text) returns text language sql immutable as $$
  select @extschema@.url_encode(@extschema:pgcrypto@.hmac(signables, secret,
    case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' else '' end))
$$;
create function sign(payload json, secret text, algorithm text default 'HS256') returns text language sql immutable as $$
  with signed as (
    select @extschema@.url_encode(convert_to('{"alg":"' || algorithm || '","typ":"JWT"}', 'utf8')) || '.'
      || @extschema@.url_encode(convert_to(payload::text, 'utf8')) as text
  )
  select text || '.' || @extschema@.algorithm_sign(text, secret, algorithm) from signed
$$;
create function try_cast_double(inp text) returns double precision language plpgsql immutable as $$
begin
  return inp::double precision;
exception when others then
  return null;
end $$;
create function verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean) language sql stable as $$
  select convert_from(@extschema@.url_decode(parts[1]), 'utf8')::json, claims,
    parts[3] = @extschema@.algorithm_sign(parts[1] || '.' || parts[2], secret, algorithm)
      and tstzrange(to_timestamp(@extschema@.try_cast_double(claims ->> 'nbf')),
        to_timestamp(@extschema@.try_cast_double(claims ->> 'exp'))) @> current_timestamp
  from regexp_split_to_array(token, '\\.') as parts,
    lateral (select convert_from(@extschema@.url_decode(parts[2]), 'utf8')::json as claims) decoded
$$;`
