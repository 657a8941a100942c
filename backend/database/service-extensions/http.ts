// http: its functions exist, so that a pulled schema runs, and explain that they cannot work here.

const FUNCTIONS = [
  'http(request http_request)',
  'http_get(uri varchar)',
  'http_get(uri varchar, data jsonb)',
  'http_head(uri varchar)',
  'http_post(uri varchar, data jsonb)',
  'http_post(uri varchar, content varchar, content_type varchar)',
  'http_put(uri varchar, content varchar, content_type varchar)',
  'http_patch(uri varchar, content varchar, content_type varchar)',
  'http_delete(uri varchar)',
  'http_delete(uri varchar, content varchar, content_type varchar)',
]

const refusing = (signature: string) => `
create function ${signature} returns http_response language plpgsql volatile as $$
begin
  raise feature_not_supported using
    message = '${signature.slice(0, signature.indexOf('('))} waits for a response inside of a statement, which the embedded database cannot do',
    hint = 'Use net.http_get or net.http_post of pg_net, or an Edge Function.';
end $$;`

export const HTTP_SCRIPT = `
create domain http_method as text;
create type http_header as (field varchar, value varchar);
create type http_request as (
  method http_method, uri varchar, headers http_header[], content_type varchar, content varchar
);
create type http_response as (status integer, content_type varchar, headers http_header[], content varchar);
create function http_header(field varchar, value varchar) returns http_header language sql immutable as $$
  select row(field, value)::http_header
$$;
create function http_set_curlopt(curlopt varchar, value varchar) returns boolean language sql as $$ select true $$;
create function http_reset_curlopt() returns boolean language sql as $$ select true $$;
${FUNCTIONS.map(refusing).join('')}`
