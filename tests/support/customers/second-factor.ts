import { generateSync } from 'otplib'
import { type Customer, goodPassword } from './customer.ts'

export const factorPath = '/my-account/second-factor/'

/** Posts one of the forms of the page of the second factor. */
export function postFactor(member: Customer, action: string, fields: Record<string, string> = {}): Promise<Response> {
  return member.post(factorPath, { action, 'second-factor-nonce': member.nonce('second-factor'), ...fields })
}

/** The secret that the page of an enrolment shows, as letters. */
export async function beginEnrolment(member: Customer): Promise<string> {
  await postFactor(member, 'begin', { password_current: goodPassword })
  const shown = /class="account-secret"[^>]*>([A-Z2-7 ]+)</.exec(await member.page(factorPath))?.[1] ?? ''
  return shown.replaceAll(' ', '')
}

/** What a program on a phone shows at a moment, by a secret in letters. */
export const codeOf = (secret: string, at: Date): string => generateSync({ secret, epoch: at.getTime() / 1000 })

/** Sets a second factor up. @returns its secret and the codes for an emergency */
export async function enrol(member: Customer, now: Date): Promise<{ secret: string; recoveryCodes: string[] }> {
  const secret = await beginEnrolment(member)
  const html = await (await postFactor(member, 'confirm', { code: codeOf(secret, now) })).text()
  const recoveryCodes = [...html.matchAll(/<code>([A-Z2-7-]+)<\/code>/g)].map(([, code = '']) => code)
  return { secret, recoveryCodes }
}
