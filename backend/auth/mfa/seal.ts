// Encrypts stored values that must be readable again, such as an authenticator's secret.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const ALGORITHM = 'aes-256-gcm'

/** Encrypts texts under one key. A sealed text can only be opened for the owner that it was sealed for. */
export interface Seal {
  close(text: string, owner: string): string
  /** @throws Error if the text was altered, or sealed for another owner or under another key. */
  open(sealed: string, owner: string): string
}

/** @param root a secret of the backend, from which the key for this `purpose` is derived. */
export function createSeal(root: string, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', root, '', `chartroom ${purpose}`, KEY_BYTES))
  return {
    close(text, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([body, decipher.final()]).toString('utf8')
    },
  }
}
