// Signed URLs for downloads and uploads.
import { errors, type JWTPayload } from 'jose'
import type { Clock } from '../shared/clock.ts'
import { invalidJwt, invalidRequest } from './failure.ts'
import { textOf } from '../shared/fields.ts'
import type { Place } from './rows.ts'
import type { Claims, Tokens } from '../keys/index.ts'

export interface Signing {
  /** A path under `/storage/v1`, valid for `seconds`; with transformations, that of a rendered image. */
  signDownload(place: Place, seconds: number, transformations?: string): Promise<string>
  checkDownload(place: Place, token: string | undefined): Promise<{ readonly transformations: string }>
  signUpload(claims: Claims, place: Place, mayReplace: boolean): Promise<{ url: string; token: string }>
  /** The signer's claims, which the upload then uses. */
  checkUpload(place: Place, token: string | undefined): Promise<{ claims: Claims; mayReplace: boolean }>
}

const UPLOAD_SECONDS = 7_200

export function createSigning(tokens: Tokens, clock: Clock): Signing {
  const sign = (claims: JWTPayload, seconds: number) => {
    const now = Math.floor(clock.now() / 1000)
    return tokens.sign({ ...claims, iat: now, exp: now + seconds })
  }
  const check = async (place: Place, token: string | undefined, use: string) => {
    if (!token) throw invalidRequest("querystring must have required property 'token'")
    const payload = await tokens.verify(token).catch((error: unknown) => {
      throw invalidJwt(
        error instanceof errors.JWTExpired ? '"exp" claim timestamp check failed' : 'Invalid Compact JWS',
      )
    })
    if (payload.use !== use || payload.url !== `${place.bucket}/${place.name}`)
      throw invalidJwt('InvalidSignature')
    return payload
  }
  return {
    async signDownload(place, seconds, transformations = '') {
      if (!Number.isFinite(seconds) || seconds < 1) throw invalidRequest('body/expiresIn must be >= 1')
      const claims = { url: `${place.bucket}/${place.name}`, use: 'download' }
      const token = await sign(
        transformations === '' ? claims : { ...claims, transformations },
        Math.floor(seconds),
      )
      const kind = transformations === '' ? 'object' : 'render/image'
      // Not encoded, because the official client encodes it.
      return `/${kind}/sign/${place.bucket}/${place.name}?token=${token}`
    },
    async checkDownload(place, token) {
      const payload = await check(place, token, 'download')
      return { transformations: textOf(payload, 'transformations') ?? '' }
    },
    async signUpload(claims, place, mayReplace) {
      const { role, sub } = claims
      const url = `${place.bucket}/${place.name}`
      const token = await sign({ url, use: 'upload', as: { role, sub }, mayReplace }, UPLOAD_SECONDS)
      return { url: `/object/upload/sign/${pathOf(place)}?token=${token}`, token }
    },
    async checkUpload(place, token) {
      const payload = await check(place, token, 'upload')
      const role = textOf(payload.as, 'role') ?? 'anon'
      const sub = textOf(payload.as, 'sub')
      return {
        claims: { role, ...(sub === undefined ? {} : { sub }) },
        mayReplace: payload.mayReplace === true,
      }
    },
  }
}

function pathOf({ bucket, name }: Place): string {
  return [bucket, ...name.split('/')].map(encodeURIComponent).join('/')
}
