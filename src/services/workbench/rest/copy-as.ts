// Formats a call as supabase-js, curl or fetch code, with placeholders for keys.
import { addressOf, bodyText, headersOf, type CallSpec } from './call-spec.ts'
import { literal, quoted } from './js-literal.ts'
import { supabaseJsOf } from './supabase-js.ts'

export interface CopiedCall {
  readonly supabaseJs: string
  readonly curl: string
  readonly fetch: string
}

/** The same call in three formats. URL, key and token are placeholders and never copied. */
export function copyAs(spec: CallSpec): CopiedCall {
  const fetch = fetchOf(spec)
  return { supabaseJs: supabaseJsOf(spec) ?? fetch, curl: curlOf(spec), fetch }
}

const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** For POSIX shells, with the secrets in variables. */
function curlOf(spec: CallSpec): string {
  const { method } = spec
  const body = bodyText(spec)
  const verb = /^[A-Z]+$/.test(method) ? method : shell(method)
  return [
    method === 'HEAD'
      ? `curl --head "$SUPABASE_URL"${shell(addressOf(spec))}`
      : `curl${method === 'GET' ? '' : ` -X ${verb}`} "$SUPABASE_URL"${shell(addressOf(spec))}`,
    `-H "apikey: $SUPABASE_KEY"`,
    `-H "Authorization: Bearer $ACCESS_TOKEN"`,
    ...Object.entries(headersOf(spec)).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shell(body)}`]),
  ].join(' \\\n  ')
}

function fetchOf(spec: CallSpec): string {
  const { method, body } = spec
  const headers = Object.entries(headersOf(spec)).map(
    ([name, value]) => `    ${/^[a-z]+$/i.test(name) ? name : quoted(name)}: ${quoted(value)},`,
  )
  const address = addressOf(spec).replace(/[`\\]|\$\{/g, found => `\\${found}`)
  const text =
    typeof body === 'string'
      ? quoted(body)
      : body === undefined
        ? undefined
        : `JSON.stringify(${literal(body, 2)})`
  return [
    `const response = await fetch(\`\${SUPABASE_URL}${address}\`, {`,
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    '  headers: {',
    '    apikey: SUPABASE_KEY,',
    '    Authorization: `Bearer ${ACCESS_TOKEN}`,',
    ...headers,
    '  },',
    ...(text === undefined ? [] : [`  body: ${text},`]),
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    ...(method === 'HEAD' ? [] : ['const data = await response.json()']),
  ].join('\n')
}
