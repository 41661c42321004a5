import { parseArgs } from 'node:util'
import { listFailedJobs } from '#database/operations/failed-jobs.ts'
import { findUnmatchedWebhookEvents } from '#database/payments/payments.ts'
import { checkCurrencies } from '#shop/operations/doctor/check-currencies.ts'
import { checkDownloads } from '#shop/operations/doctor/check-downloads.ts'
import { type BrokenInvariant, checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { checkLive, type LiveFinding } from '#shop/operations/doctor/check-live.ts'
import { checkMachine, checkNeighbours, checkPictures } from '#shop/operations/doctor/check-machine.ts'
import type { Command, CommandContext } from '../shared/command.ts'
import { minute } from '../shared/record-text.ts'

const options = {
  json: { type: 'boolean', default: false },
  live: { type: 'boolean', default: false },
  machine: { type: 'boolean', default: false },
  newest: { type: 'string' },
} as const

export const doctorCommand: Command = {
  usage: 'doctor [--live] [--machine] [--newest 1000|all] [--json]',
  summary:
    'Checks that orders, money, stock and ledger agree with each other, and with PayPal where its credentials are set. ' +
    'With --live: what is missing before real money can come in. With --machine: space, clocks, versions, jobs, and whether ' +
    'mail server, PayPal and the shop itself answer.',

  async run(args, context) {
    let wanted: { json: boolean; live: boolean; machine: boolean; newest?: string | undefined }
    try {
      wanted = parseArgs({ args: [...args], options }).values
    } catch (error) {
      context.say(error instanceof Error ? error.message : String(error))
      return 2
    }
    if (wanted.live && wanted.machine) {
      context.say('One after the other: --live or --machine.')
      return 2
    }
    if (wanted.live) return live(context, wanted.json)
    if (wanted.machine) return machine(context, wanted.json)
    const { newest = '1000', json } = wanted
    if (newest !== 'all' && !/^[1-9]\d{0,6}$/.test(newest)) {
      context.say('--newest: how many payments are looked up at PayPal, or all')
      return 2
    }
    return agreement(context, json, newest === 'all' ? newest : Number(newest))
  },
}

async function agreement(context: CommandContext, json: boolean, newest: number | 'all'): Promise<number> {
  let unread = 0
  const broken = await checkInvariants({
    ...context,
    newest,
    unread: (count) => {
      unread = count
    },
  })
  if (json) context.print(JSON.stringify(broken))
  else for (const one of broken) context.print(brokenLine(one))
  if (!context.paypal) context.say('The books of PayPal were not compared: its credentials are not set.')
  if (unread > 0) context.say(`${unread} payments could not be read at PayPal and were left out.`)
  const { length: givenUp } = await listFailedJobs(context.db)
  if (givenUp > 0) context.say(`${givenUp} ${givenUp === 1 ? 'job was' : 'jobs were'} given up: npm run shop -- jobs`)
  for (const line of await strangeMoney(context)) context.say(line)
  for (const { rule, problem } of context.faults) context.say(`${rule}: ${problem}.`)
  const here = [...(await checkMachine(context)), ...(await checkDownloads(context, false))]
  const unwell = here.filter(({ state }) => state === 'missing')
  for (const { what, advice } of unwell) context.say(`${what}. ${advice}`)
  context.say(agreementLine(broken.length))
  return broken.length === 0 ? 0 : 1
}

const monthMs = 30 * 24 * 60 * 60_000

/** No fault of the books: the account at the provider may serve other shops as well. */
async function strangeMoney({ db, clock }: CommandContext): Promise<string[]> {
  const since = new Date(clock.now().getTime() - monthMs)
  const events = await findUnmatchedWebhookEvents(db.kysely, since, 20)
  if (events.length === 0) return []
  return [
    'PayPal has told of money that belongs to no order here. Look it up there: after a restore these are orders that came since the backup.',
    ...events.map(({ id, type, received_at: at }) => `  ${minute(at)} UTC  ${type}  ${id}`),
  ]
}

/** The last line of whoever has compared. */
export function agreementLine(broken: number): string {
  if (broken === 0) return 'Everything agrees.'
  return broken === 1 ? 'One thing does not agree.' : `${broken} things do not agree.`
}

/** `I4   order 1007: reservations exceed the stock` */
export function brokenLine({ invariant, orderId, what }: BrokenInvariant): string {
  return `${invariant.padEnd(4)} ${orderId === null ? '' : `order ${orderId}: `}${what}`
}

async function live(context: CommandContext, json: boolean): Promise<number> {
  const ofProvider = await checkLive(context, context.providerAccount)
  const findings = [...ofProvider, ...checkCurrencies(context, context.clock.now())]
  return tell(context, findings, json)
}

async function machine(context: CommandContext, json: boolean): Promise<number> {
  const here = [...(await checkMachine(context)), ...(await checkPictures(context))]
  const sold = await checkDownloads(context, true)
  const around = await checkNeighbours(context, await context.mailDesk())
  return tell(context, [...here, ...sold, ...around], json)
}

function tell(context: CommandContext, findings: readonly LiveFinding[], json: boolean): number {
  const missing = findings.filter(({ state }) => state === 'missing')
  if (json) context.print(JSON.stringify(findings))
  else for (const finding of findings) for (const text of told(finding)) context.print(text)
  const { length: count } = missing
  context.say(
    count === 0 ? 'Nothing is missing.' : count === 1 ? 'One thing is missing.' : `${count} things are missing.`,
  )
  return missing.length === 0 ? 0 : 1
}

const marks = { ok: 'ok     ', missing: 'MISSING', look: 'look   ' } as const

function told({ what, state, advice }: LiveFinding): string[] {
  return [`${marks[state]}  ${what}`, ...(advice && state !== 'ok' ? [`         ${advice}`] : [])]
}
