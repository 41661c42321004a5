import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'

/** Codes of the adjacent half minutes are valid as well: clocks differ, and typing takes time. */
const driftSeconds = 30

/**
 * Returns the step of a typed code, counted from 1970 in half minutes (RFC 6238); null if invalid.
 * @param after the step of the last used code: it and earlier ones are invalid
 */
export function stepOfCode(secret: Buffer, typed: string, now: Date, after: number): number | null {
  if (!/^\d{6}$/.test(typed)) return null
  const epoch = Math.floor(now.getTime() / 1000)
  // The clock was set back behind the last code. The library throws in this case.
  if (after > Math.floor((epoch + driftSeconds) / 30)) return null
  const result = verifySync({ secret, token: typed, epoch, epochTolerance: driftSeconds, afterTimeStep: after })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

const encoder = new ScureBase32Plugin()

/** Encodes in Base32 without padding (RFC 4648), the form of typed secrets and recovery codes. */
export const base32 = (bytes: Buffer): string => encoder.encode(bytes)

/** Returns the `otpauth` link for authenticator apps: with the shop's name, the account and the secret. */
export function enrolmentLink(shop: string, account: string, secret: string): string {
  // A colon separates the two.
  const plain = (text: string) => text.replaceAll(':', ' ')
  return generateURI({ issuer: plain(shop), label: plain(account), secret })
}
