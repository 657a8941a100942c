// A request as code: a curl command, or a call of fetch. Secrets are variables.
import { jsString, shellWord } from './code-text.ts'

/** A header; the value of a masked one is a variable that the reader sets. */
export interface CodeHeader {
  readonly name: string
  readonly value: string
  readonly isMasked: boolean
}

export interface CodeRequest {
  readonly method: string
  /** Path and query below the URL of the backend, encoded. */
  readonly address: string
  readonly headers: readonly CodeHeader[]
}

/** A header whose value is never in the code. */
export const maskedHeader = (name: string): CodeHeader => ({ name, value: '', isMasked: true })

/**
 * Writes a curl command.
 * @param data the body, or the file that contains it
 */
export function curlCommand(
  { method, address, headers }: CodeRequest,
  data?: { readonly text: string } | { readonly file: string },
): string {
  const verb = method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${shellWord(method)}`
  return [
    `curl${verb} "$SUPABASE_URL"${shellWord(address)}`,
    ...headers.map(({ name, value, isMasked }) =>
      isMasked ? `-H ${secretWord(name)}` : `-H ${shellWord(`${name}: ${value}`)}`,
    ),
    ...(data === undefined
      ? []
      : ['text' in data ? `--data-raw ${shellWord(data.text)}` : `--data @${shellWord(data.file)}`]),
  ].join(' \\\n  ')
}

/**
 * Writes a call of fetch that assigns `response`.
 * @param body the body as an expression
 */
export function fetchCall({ method, address, headers }: CodeRequest, body?: string): string {
  return [
    `const response = await fetch(SUPABASE_URL + ${jsString(address)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${jsString(method)},`]),
    '  headers: {',
    ...headers.map(({ name, value, isMasked }) => {
      const key = /^[a-z]+$/i.test(name) ? name : jsString(name)
      return `    ${key}: ${isMasked ? secretExpression(name) : jsString(value)},`
    }),
    '  },',
    ...(body === undefined ? [] : [`  body: ${body},`]),
    '})',
  ].join('\n')
}

const secretWord = (name: string): string => {
  const variable = `$${variableOf(name)}`
  const prefix = isBearer(name) ? 'Bearer ' : ''
  return /^[\w-]+$/.test(name)
    ? `"${name}: ${prefix}${variable}"`
    : `${shellWord(`${name}: ${prefix}`)}"${variable}"`
}

const secretExpression = (name: string): string =>
  isBearer(name) ? `\`Bearer \${${variableOf(name)}}\`` : variableOf(name)

const isBearer = (name: string): boolean => name.toLowerCase() === 'authorization'

function variableOf(name: string): string {
  const known = name.toLowerCase()
  if (known === 'apikey') return 'SUPABASE_KEY'
  if (known === 'authorization') return 'ACCESS_TOKEN'
  return `HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
}
