import { createHash } from 'node:crypto'

/** Letters and digits that PayPal's payer ids are made of. */
const PAYER_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const ID_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const VAULT_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const HEX_ALPHABET = '0123456789abcdef'
const TOKEN_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

/** Every id the emulator hands out. The same seed gives the same ids in the same order. */
export type Ids = {
  /** An order, capture, authorisation or refund: 17 capital letters and digits. */
  resource(): string
  /** 13 hexadecimal digits that name one call. */
  debug(): string
  token(): string
  event(): string
  uuid(): string
  /** A means that is kept, and the customer it is kept for. */
  paymentToken(): string
  customer(): string
}

export function seededIds(seed: string): Ids {
  const random = splitMix(createHash('sha256').update(seed).digest().readBigUInt64BE())
  const draw = (alphabet: string, length: number) => {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[random() % alphabet.length]
    return text
  }
  return {
    resource: () => draw(ID_ALPHABET, 17),
    debug: () => draw(HEX_ALPHABET, 13),
    token: () => `A21AA${draw(TOKEN_ALPHABET, 92)}`,
    event: () => `WH-${draw(ID_ALPHABET, 17)}-${draw(ID_ALPHABET, 17)}`,
    paymentToken: () => draw(VAULT_ALPHABET, 17),
    customer: () => draw(VAULT_ALPHABET, 10),
    uuid: () => [8, 4, 4, 4, 12].map((length) => draw(HEX_ALPHABET, length)).join('-'),
  }
}

/** The payer id of an account: always the same for one address. */
export function payerIdFor(email: string): string {
  const digest = createHash('sha256').update(email).digest()
  return Array.from({ length: 13 }, (_, i) => PAYER_ALPHABET[(digest[i] ?? 0) % PAYER_ALPHABET.length]).join('')
}

/** A 32-bit generator; small, fast and good enough for ids that only have to differ. */
function splitMix(seed: bigint): () => number {
  let state = Number(seed & 0xffffffffn)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}
