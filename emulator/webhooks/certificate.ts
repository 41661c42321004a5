import { generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'

export type SigningCertificate = {
  privateKey: KeyObject
  /** The certificate in PEM, self-signed, RSA 2048 with SHA-256. */
  pem: string
}

/** Makes a key and a certificate for it. X.509 is written here by hand: Node can read certificates, not issue them. */
export async function createCertificate(commonName: string, from: Date, to: Date): Promise<SigningCertificate> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const name = sequence(set(sequence(objectId([2, 5, 4, 3]), utf8(commonName))))
  const signatureAlgorithm = sequence(objectId([1, 2, 840, 113549, 1, 1, 11]), nothing)
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.from([0x45, 0x4d, 0x55, 0x01])),
    signatureAlgorithm,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const certificate = sequence(body, signatureAlgorithm, bitString(sign('sha256', body, privateKey)))
  const base64 = certificate.toString('base64').replace(/.{1,64}/g, '$&\n')
  return { privateKey, pem: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n` }
}

// DER (ITU-T X.690): every value is a tag, a length and the content.

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/** Below 128 one byte; above, the number of bytes with the high bit set, then those bytes. */
function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const set = (...parts: readonly Buffer[]) => tagged(0x31, ...parts)
const integer = (bytes: Buffer) => tagged(0x02, bytes)
const utf8 = (text: string) => tagged(0x0c, Buffer.from(text))
const explicit = (number: number, part: Buffer) => tagged(0xa0 | number, part)
const nothing = Buffer.from([0x05, 0x00])
/** The leading byte counts unused bits: none. */
const bitString = (bytes: Buffer) => tagged(0x03, Buffer.from([0]), bytes)

/** UTCTime with two-digit years before 2050, GeneralizedTime from then on, as X.509 asks. */
const time = (date: Date) => {
  const digits = `${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}

/** The first two numbers share a byte; the others are base 128, every byte but the last with the high bit set. */
function objectId([first = 0, second = 0, ...others]: readonly number[]): Buffer {
  const bytes = [first * 40 + second]
  for (const number of others) {
    const digits = [number % 128]
    for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128))
      digits.unshift(0x80 | (rest % 128))
    bytes.push(...digits)
  }
  return tagged(0x06, Buffer.from(bytes))
}
