// Verifies the signatures of wallets over sign-in messages.
import { createPublicKey, verify } from 'node:crypto'
import type { SignInMessage } from './message.ts'

/**
 * Whether the wallet of the message's address signed it (EIP-191).
 * @param signature 65 bytes in hexadecimal, with `0x`
 */
export async function isEthereumSignature(message: SignInMessage, signature: string): Promise<boolean> {
  if (!/^0x[\da-f]{130}$/i.test(signature)) return false
  // Only needed for these sign-ins.
  const [{ secp256k1 }, { keccak_256: keccak }] = await Promise.all([
    import('@noble/curves/secp256k1.js'),
    import('@noble/hashes/sha3.js'),
  ])
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const last = bytes[64] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  const text = Buffer.from(message.text)
  const hash = keccak(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${text.length}`), text]))
  try {
    const recovered = Uint8Array.from([recovery, ...bytes.subarray(0, 64)])
    const compressed = secp256k1.recoverPublicKey(recovered, hash, { prehash: false })
    const key = secp256k1.Point.fromBytes(compressed).toBytes(false)
    const address = Buffer.from(keccak(key.subarray(1))).toString('hex', 12)
    return `0x${address}` === message.address.toLowerCase()
  } catch {
    return false
  }
}

const KEY_BYTES = 32

/**
 * Whether the wallet of the message's address signed it, directly or as a Ledger does.
 * @param signature 64 bytes
 */
export function isSolanaSignature(message: SignInMessage, signature: Uint8Array): boolean {
  const raw = decodeBase58(message.address)
  if (raw?.length !== KEY_BYTES) return false
  const text = Buffer.from(message.text)
  try {
    const x = Buffer.from(raw).toString('base64url')
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
    return [text, offchainMessage(message.domain, raw, text)].some(data => verify(null, data, key, signature))
  } catch {
    return false
  }
}

const DOMAIN_BYTES = 32

/** The envelope of Solana's off-chain messages, version 0: ASCII, one signer. */
function offchainMessage(domain: string, key: Uint8Array, text: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16LE(text.length)
  const application = Buffer.alloc(DOMAIN_BYTES)
  application.write(domain)
  return Buffer.concat([
    Buffer.from([0xff]),
    Buffer.from('solana offchain'),
    Buffer.from([0]),
    application,
    Buffer.from([0, 1]),
    key,
    length,
    text,
  ])
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** `undefined` if a character is not one of base 58. The text must be short: the time grows with its square. */
export function decodeBase58(text: string): Uint8Array | undefined {
  let number = 0n
  for (const character of text) {
    const digit = BASE58.indexOf(character)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const digits = number === 0n ? '' : number.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return new Uint8Array(Buffer.concat([Buffer.alloc(zeros), bytes]))
}
