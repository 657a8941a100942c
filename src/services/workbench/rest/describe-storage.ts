// Formats a storage call as supabase-js code.
import { bodyText, type CallSpec } from './call-spec.ts'
import { literal, quoted } from './js-literal.ts'

const decoded = (text: string): string =>
  text
    .split('/')
    .map(part => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })
    .join('/')

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(spec: CallSpec): Fields {
  try {
    const body: unknown = typeof spec.body === 'string' ? JSON.parse(bodyText(spec) ?? '') : spec.body
    return typeof body === 'object' && body !== null ? (body as Fields) : {}
  } catch {
    return {}
  }
}

/** @param rest the path after `/storage/v1/`; returns undefined if supabase-js has no method for the call */
export function describeStorage(spec: CallSpec, rest: string): string | undefined {
  const [, what = '', bucket = '', path = ''] =
    /^(object(?:\/(?:list|sign|public|info|authenticated|move|copy))?)\/?([^/]*)\/?(.*)$/s.exec(rest) ?? []
  const from = (text: string) => `.storage.from(${quoted(decoded(bucket))}).${text}`
  const fields = fieldsOf(spec)
  const name = quoted(decoded(path))
  switch (`${spec.method} ${what}`) {
    case 'GET object':
    case 'GET object/authenticated':
      return from(`download(${name})`)
    case 'GET object/info':
      return from(`info(${name})`)
    case 'GET object/public':
      return from(`getPublicUrl(${name})`)
    case 'POST object/list': {
      const { prefix = '', ...options } = fields
      return from(`list(${literal(prefix)}, ${literal(options)})`)
    }
    case 'POST object/sign':
      return from(`createSignedUrl(${name}, ${literal(fields['expiresIn'] ?? 3600)})`)
    case 'POST object':
      return from(`upload(${name}, file)`)
    case 'DELETE object':
      return from(`remove(${literal(path === '' ? (fields['prefixes'] ?? []) : [decoded(path)])})`)
    case 'POST object/move':
    case 'POST object/copy': {
      const { bucketId, sourceKey, destinationKey } = fields
      const verb = what.slice('object/'.length)
      return `.storage.from(${literal(bucketId)}).${verb}(${literal(sourceKey)}, ${literal(destinationKey)})`
    }
    default:
      return undefined
  }
}
