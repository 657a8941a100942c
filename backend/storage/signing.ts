// Signed URLs for downloads and uploads.
import { errors, type JWTPayload } from 'jose'
import type { Clock } from '../shared/clock.ts'
import { invalidBody, invalidJwt, invalidSignature } from './failure.ts'
import { textOf } from '../shared/fields.ts'
import type { Place } from './rows.ts'
import type { Claims, Tokens } from '../keys/index.ts'

export interface Signing {
  /** A path under `/storage/v1`, valid for `seconds`; with transformations, that of a rendered image. */
  signDownload(place: Place, seconds: number, transformations?: string): Promise<string>
  checkDownload(place: Place, token: string | undefined): Promise<SignedDownload>
  signUpload(claims: Claims, place: Place, mayReplace: boolean): Promise<{ url: string; token: string }>
  /** The claims that the upload then uses: no policy applies, and the signer is the owner. */
  checkUpload(place: Place, token: string | undefined): Promise<{ claims: Claims; mayReplace: boolean }>
}

interface SignedDownload {
  readonly transformations: string
  /** When the URL expires, in seconds since 1970. */
  readonly until: number
}

const UPLOAD_SECONDS = 7_200

export function createSigning(tokens: Tokens, clock: Clock): Signing {
  const sign = (claims: JWTPayload, seconds: number) => {
    const now = Math.floor(clock.now() / 1000)
    return tokens.sign({ ...claims, iat: now, exp: now + seconds })
  }
  const check = async (place: Place, token: string | undefined, scope: string) => {
    if (token === undefined) throw invalidBody("querystring must have required property 'token'")
    const payload = await tokens.verify(token).catch((error: unknown) => {
      throw invalidJwt(tokenProblem(error))
    })
    if (payload['scope'] !== scope || payload['url'] !== `${place.bucket}/${place.name}`)
      throw invalidSignature()
    return payload
  }
  return {
    async signDownload(place, seconds, transformations = '') {
      const claims = { url: `${place.bucket}/${place.name}`, scope: 'download' }
      const token = await sign(transformations === '' ? claims : { ...claims, transformations }, seconds)
      const kind = transformations === '' ? 'object' : 'render/image'
      // Not encoded, because the official client encodes it.
      return `/${kind}/sign/${place.bucket}/${place.name}?token=${token}`
    },
    async checkDownload(place, token) {
      const payload = await check(place, token, 'download')
      const { exp = 0 } = payload
      return { transformations: textOf(payload, 'transformations') ?? '', until: exp }
    },
    async signUpload({ sub }, place, upsert) {
      const url = `${place.bucket}/${place.name}`
      const owner = sub === undefined ? {} : { owner: sub }
      const token = await sign({ ...owner, url, scope: 'upload', upsert }, UPLOAD_SECONDS)
      return { url: `/object/upload/sign/${pathOf(place)}?token=${token}`, token }
    },
    async checkUpload(place, token) {
      const payload = await check(place, token, 'upload')
      const sub = textOf(payload, 'owner')
      // The policies were asked when the URL was signed.
      return {
        claims: { role: 'service_role', ...(sub === undefined ? {} : { sub }) },
        mayReplace: payload['upsert'] === true,
      }
    },
  }
}

/** What is wrong with a token, in the words of the storage server, which uses the same library. */
export function tokenProblem(error: unknown): string {
  return error instanceof errors.JOSEError ? error.message : 'Invalid Compact JWS'
}

function pathOf({ bucket, name }: Place): string {
  return [bucket, ...name.split('/')].map(encodeURIComponent).join('/')
}
