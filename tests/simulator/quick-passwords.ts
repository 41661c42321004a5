import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A password's hash is made by threads of their own, for which the simulator's turns could not wait: what happens next would depend
 * on the machine's pace. Here it is a digest, and comes at once. To be imported before any of the shop's sources.
 */
const quick = (
  _algorithm: string,
  { message, nonce, tagLength }: crypto.Argon2Parameters,
  done: (error: Error | null, tag: Buffer) => void,
) => {
  const tag = crypto.createHash('sha512').update(String(nonce)).update(String(message)).digest()
  done(null, tag.subarray(0, tagLength))
}
Object.assign(crypto, { argon2: quick })
syncBuiltinESMExports()
