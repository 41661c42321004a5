import { recordAccess } from '#database/customers/access-log.ts'
import { findCustomer, lockCustomer } from '#database/customers/customers.ts'
import {
  confirmFactor,
  consumeRecoveryCode,
  consumeStep,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
  writeUnconfirmedFactor,
} from '#database/customers/second-factors.ts'
import { endLogins } from '#database/customers/sessions.ts'
import { transaction } from '#database/engine/connect.ts'
import { sha256 } from '../../shared/digest.ts'
import { limitGuesses } from '../../shared/limit-attempts.ts'
import type { Tools } from '../../shared/tools.ts'
import { logIn } from '../sessions/log-in.ts'
import { findHalfLogin } from '../sessions/pending-login.ts'
import type { VisitSession } from '../sessions/visit-session.ts'
import { base32, enrolmentLink, stepOfCode } from './one-time-code.ts'
import { openText, sealText } from './sealed-text.ts'

/** The length of SHA-1's output, which RFC 4226 requires. */
const secretBytes = 20
const recoveryCodeCount = 10
/** 80 random bits: a plain digest suffices. */
const recoveryCodeBytes = 10

/** The customer with the network and device of the request. `secret` is the shop's, which encrypts the factor's. */
export type FactorOwner = { customerId: number; ip: string; device: string; secret: string }

export type SecondFactorFacts =
  | { kind: 'none' }
  /** Setup has begun: the secret is shown until its first code is entered. */
  | { kind: 'unconfirmed'; secret: string; link: string }
  | { kind: 'confirmed'; since: Date; recoveryCodes: number }

export async function readSecondFactor(
  { db, settings }: Pick<Tools, 'db' | 'settings'>,
  { customerId, secret }: Pick<FactorOwner, 'customerId' | 'secret'>,
): Promise<SecondFactorFacts> {
  const factor = await findSecondFactor(db.kysely, customerId)
  if (!factor) return { kind: 'none' }
  const { confirmed_at: since } = factor
  if (since) return { kind: 'confirmed', since, recoveryCodes: await countRecoveryCodes(db.kysely, customerId) }
  const own = openText(secret, aboutFactor(customerId), factor.secret)
  const customer = await findCustomer(db.kysely, customerId)
  // Begun under another secret of the shop: setup starts again.
  if (own === null || !customer) return { kind: 'none' }
  const written = base32(Buffer.from(own, 'hex'))
  return { kind: 'unconfirmed', secret: written, link: enrolmentLink(settings.name, customer.email, written) }
}

/** Creates a secret, and shows it until its first code is entered. @returns false if a second factor exists */
export async function beginSecondFactor(
  tools: Pick<Tools, 'db' | 'chance' | 'clock'>,
  { customerId, secret }: Pick<FactorOwner, 'customerId' | 'secret'>,
): Promise<boolean> {
  const own = tools.chance.hex(secretBytes)
  const sealed = sealText(tools, secret, aboutFactor(customerId), own)
  const factor = { customer_id: customerId, secret: sealed, created_at: tools.clock.now() }
  return writeUnconfirmedFactor(tools.db.kysely, factor)
}

export type CodeRefusal =
  | { ok: false; reason: 'code-missing' | 'code-wrong' }
  | { ok: false; reason: 'too-many'; waitMs: number }

/** `recoveryCodes` are shown only this once. */
export type FactorResult = { ok: true; session: VisitSession; recoveryCodes: readonly string[] } | CodeRefusal

/**
 * Confirms a factor with its first code. From then on each login requires a code; all other logins of the customer end,
 * and this one gets a new token.
 */
export async function confirmSecondFactor(
  tools: Tools,
  session: VisitSession,
  owner: FactorOwner,
  typed: string,
): Promise<FactorResult> {
  const before = await findSecondFactor(tools.db.kysely, owner.customerId)
  if (!before || before.confirmed_at) return { ok: false, reason: 'code-wrong' }
  const checked = await check(tools, owner, typed, 'code')
  if (!checked.ok) return checked
  const { customerId } = owner
  const at = tools.clock.now()
  const recoveryCodes = makeRecoveryCodes(tools)
  await transaction(tools, async (tx) => {
    await lockCustomer(tx, customerId)
    await confirmFactor(tx, customerId, at)
    await replaceRecoveryCodes(tx, customerId, recoveryCodes.map(digestOf))
    await endLogins(tx, customerId, sha256(session.token))
    const who = `customer:${customerId}`
    await recordAccess(tx, { at, who, action: 'second factor set up', subject: who })
  })
  return { ok: true, session: await continueLogin(tools, session, owner), recoveryCodes }
}

/** Completes a half login after the password, with a code or a recovery code, under a new token. */
export async function verifySecondFactor(
  tools: Tools,
  session: VisitSession,
  owner: FactorOwner,
  typed: string,
): Promise<{ ok: true; session: VisitSession } | CodeRefusal> {
  const checked = await check(tools, owner, typed, 'any')
  return checked.ok ? { ok: true, session: await continueLogin(tools, session, owner) } : checked
}

/** Replaces the recovery codes by ten new ones; requires a code. */
export async function renewRecoveryCodes(
  tools: Tools,
  session: VisitSession,
  owner: FactorOwner,
  typed: string,
): Promise<FactorResult> {
  const checked = await check(tools, owner, typed, 'any')
  if (!checked.ok) return checked
  const recoveryCodes = makeRecoveryCodes(tools)
  await transaction(tools, async (tx) => {
    await lockCustomer(tx, owner.customerId)
    await replaceRecoveryCodes(tx, owner.customerId, recoveryCodes.map(digestOf))
  })
  return { ok: true, session, recoveryCodes }
}

/**
 * Removes the second factor; requires a code. If the shop demands one, staff pages stay closed until there is another.
 */
export async function removeSecondFactor(
  tools: Tools,
  owner: FactorOwner,
  typed: string,
): Promise<{ ok: true } | CodeRefusal> {
  const checked = await check(tools, owner, typed, 'any')
  if (!checked.ok) return checked
  const who = `customer:${owner.customerId}`
  await resetSecondFactor(tools, owner.customerId, who, 'second factor taken away')
  return { ok: true }
}

/**
 * Removes the second factor of a customer who has lost the device and the recovery codes. Their logins end, except if
 * they did it themselves.
 * @param who the person responsible, for the log @returns false: there was none
 */
export async function resetSecondFactor(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'>,
  customerId: number,
  who: string,
  action = 'second factor reset',
): Promise<boolean> {
  const subject = `customer:${customerId}`
  return transaction(tools, async (tx) => {
    await lockCustomer(tx, customerId)
    const was = await deleteSecondFactor(tx, customerId)
    if (who !== subject) await endLogins(tx, customerId, null)
    await recordAccess(tx, { at: tools.clock.now(), who, action, subject })
    return was
  })
}

/**
 * Checks a code of the current step, or with `any` a recovery code. Each is valid once, also for concurrent requests.
 */
async function check(
  tools: Tools,
  { customerId, ip, secret }: FactorOwner,
  typed: string,
  what: 'code' | 'any',
): Promise<{ ok: true } | CodeRefusal> {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  if (code === '') return { ok: false, reason: 'code-missing' }
  const tries = await limitGuesses(tools, 'second-factor', { subject: String(customerId), ip })
  const about = { customerId, by: 'second factor' }
  if (!tries.ok) {
    tools.log.warn(about, 'second factor rate limited')
    return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  }
  const fits = /^\d{6}$/.test(code)
    ? await takeCode(tools, customerId, secret, code)
    : what === 'any' && (await consumeRecoveryCode(tools.db.kysely, customerId, digestOf(code), tools.clock.now()))
  tools.log.info(about, fits ? 'second factor accepted' : 'second factor rejected')
  if (!fits) return { ok: false, reason: 'code-wrong' }
  await tries.honest()
  return { ok: true }
}

async function takeCode({ db, clock, log }: Tools, customerId: number, secret: string, code: string): Promise<boolean> {
  const factor = await findSecondFactor(db.kysely, customerId)
  if (!factor) return false
  const own = openText(secret, aboutFactor(customerId), factor.secret)
  if (own === null) {
    log.error({ customerId }, 'second factor is encrypted with another secret: run customers second-factor --reset')
    return false
  }
  const step = stepOfCode(Buffer.from(own, 'hex'), code, clock.now(), factor.last_step)
  return step !== null && consumeStep(db.kysely, customerId, step)
}

/** Continues the login under a new token, with staff permissions. */
async function continueLogin(
  tools: Tools,
  session: VisitSession,
  { customerId, device }: FactorOwner,
): Promise<VisitSession> {
  const customer = await findCustomer(tools.db.kysely, customerId)
  if (!customer) throw new Error(`customer ${customerId} no longer exists`)
  const remember = (await findHalfLogin(tools, session))?.remember ?? session.remember
  return logIn(tools, session, customer, remember, device, true)
}

function makeRecoveryCodes({ chance }: Pick<Tools, 'chance'>): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const letters = base32(Buffer.from(chance.hex(recoveryCodeBytes), 'hex'))
    return letters.replace(/(.{4})(?!$)/g, '$1-')
  })
}

const digestOf = (code: string) => sha256(code.replaceAll('-', ''))
const aboutFactor = (customerId: number) => `second-factor:${customerId}`
