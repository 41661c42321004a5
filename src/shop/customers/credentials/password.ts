import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Tools } from '../../shared/tools.ts'

type Wants = Pick<Tools, 'chance' | 'settings'>
type Cost = { memory: number; passes: number; parallelism: number }

const run = promisify(argon2)
const tagLength = 32

// Each hash needs memory, and a thread of the pool that also compresses pages and reads files.
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

/** Hashes a password: argon2id with its cost and salt, in the usual text form. */
export async function hashPassword({ chance, settings }: Wants, password: string): Promise<string> {
  const salt = Buffer.from(chance.hex(16), 'hex')
  const cost = currentCost(settings)
  const tag = await derive(password, salt, cost)
  return `$argon2id$v=19$${costText(cost)}$${base64(salt)}$${base64(tag)}`
}

/** Compares a password with a stored hash. Without one the same work is done, so that timing discloses nothing. */
export async function isPassword({ settings }: Wants, password: string, stored: string | null): Promise<boolean> {
  const known = stored === null ? null : parse(stored)
  const tag = await derive(password, known?.salt ?? Buffer.alloc(16), known?.cost ?? currentCost(settings))
  return known !== null && timingSafeEqual(tag, known.tag)
}

/** Checks whether a hash was computed with another cost than the current setting. */
export function isOutdated({ settings }: Pick<Tools, 'settings'>, stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$${costText(currentCost(settings))}$`)
}

async function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    const parameters: Argon2Parameters = { message: password.normalize('NFC'), nonce, tagLength, ...cost }
    return await run('argon2id', parameters)
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

function currentCost({ accounts }: Tools['settings']): Cost {
  const { memoryKiB, passes, parallelism } = accounts.argon2
  return { memory: memoryKiB, passes, parallelism }
}

const costText = ({ memory, passes, parallelism }: Cost) => `m=${memory},t=${passes},p=${parallelism}`
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** @throws if the column contains anything that `hashPassword` did not write */
function parse(stored: string): { salt: Buffer; tag: Buffer; cost: Cost } {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ?? []
  if (!memory) throw new Error('stored password hash has an unknown format')
  return {
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
  }
}
