import { listFailedJobs } from '#database/operations/failed-jobs.ts'
import { findUnmatchedWebhookEvents } from '#database/payments/payments.ts'
import { checkCurrencies } from '#shop/operations/doctor/check-currencies.ts'
import { checkDownloads } from '#shop/operations/doctor/check-downloads.ts'
import { type BrokenInvariant, checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { checkLive, type LiveFinding } from '#shop/operations/doctor/check-live.ts'
import { checkMachine, checkNeighbours, checkPictures } from '#shop/operations/doctor/check-machine.ts'
import type { CommandContext } from '../shared/command.ts'
import { jsonOption, singleCommand, textGiven } from '../shared/command-group.ts'
import { counted, fail, rejectUsage, warn } from '../shared/messages.ts'
import { minute } from '../shared/record-text.ts'

export const doctorCommand = singleCommand('doctor', {
  usage: '[--live] [--machine] [--newest 1000|all] [--json]',
  summary:
    'Checks that orders, payments, stock and ledger agree with each other, and with PayPal where its credentials are set.',
  example: '--machine',
  options: {
    live: { type: 'boolean', what: 'checks instead what is missing before real payments' },
    machine: {
      type: 'boolean',
      what: 'checks instead disk space, clocks, versions, jobs, and whether mail server, PayPal and shop answer',
    },
    newest: { type: 'string', value: '<number>|all', what: 'the number of payments to compare with PayPal; 1000' },
    ...jsonOption,
  },
  words: [0, 0],
  async run(_, given, context) {
    const json = given.json === true
    if (given.live && given.machine)
      return rejectUsage(context, '--live and --machine cannot be combined. Run one of them.')
    if (given.live) return live(context, json)
    if (given.machine) return machine(context, json)
    const newest = textGiven(given.newest) ?? '1000'
    if (newest !== 'all' && !/^[1-9]\d{0,6}$/.test(newest))
      return rejectUsage(
        context,
        `--newest "${newest}" is neither "all" nor a whole number. Example: doctor --newest 1000`,
      )
    return agreement(context, json, newest === 'all' ? newest : Number(newest))
  },
})

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
  if (!context.paypal)
    warn(context, 'not compared with PayPal. Set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET to do so.')
  if (unread > 0)
    warn(context, `${counted(unread, 'payment')} could not be read at PayPal and were not compared. Run doctor again.`)
  const { length: givenUp } = await listFailedJobs(context.db)
  if (givenUp > 0)
    warn(context, `${counted(givenUp, 'background job')} failed for good. List them: npm run shop -- jobs`)
  await warnOfUnmatchedPayments(context)
  for (const { rule, problem } of context.faults) warn(context, `${rule}: ${problem}.`)
  const here = [...(await checkMachine(context)), ...(await checkDownloads(context, false))]
  const unwell = here.filter(({ state }) => state === 'missing')
  for (const { what, advice } of unwell) warn(context, `${what}. ${advice}`)
  return printAgreement(context, broken.length)
}

const monthMs = 30 * 24 * 60 * 60_000

/** Only a warning: the PayPal account may serve other shops as well. */
async function warnOfUnmatchedPayments(context: CommandContext): Promise<void> {
  const { db, clock, say } = context
  const since = new Date(clock.now().getTime() - monthMs)
  const events = await findUnmatchedWebhookEvents(db.kysely, since, 20)
  if (events.length === 0) return
  warn(
    context,
    `${counted(events.length, 'webhook event')} of PayPal match no order here. Look them up at PayPal: after a restore they belong ` +
      'to orders placed since the backup.',
  )
  for (const { id, type, received_at: at } of events) say(`  ${minute(at)} UTC  ${type}  ${id}`)
}

/** Prints the last line of a check. @returns the exit code */
export function printAgreement(context: Pick<CommandContext, 'say'>, broken: number): 0 | 1 {
  if (broken > 0)
    return fail(context, `${counted(broken, 'check')} failed. Each line above names the order to look at.`)
  context.say('All checks passed: orders, payments, stock and ledger agree.')
  return 0
}

/** `I4   order 1007: reservations exceed the stock` */
export function brokenLine({ invariant, orderId, what }: BrokenInvariant): string {
  return `${invariant.padEnd(4)} ${orderId === null ? '' : `order ${orderId}: `}${what}`
}

async function live(context: CommandContext, json: boolean): Promise<number> {
  const ofProvider = await checkLive(context, context.providerAccount)
  const findings = [...ofProvider, ...checkCurrencies(context, context.clock.now())]
  return printFindings(context, findings, json)
}

async function machine(context: CommandContext, json: boolean): Promise<number> {
  const here = [...(await checkMachine(context)), ...(await checkPictures(context))]
  const sold = await checkDownloads(context, true)
  const around = await checkNeighbours(context, await context.mailDesk())
  return printFindings(context, [...here, ...sold, ...around], json)
}

function printFindings(context: CommandContext, findings: readonly LiveFinding[], json: boolean): number {
  const missing = findings.filter(({ state }) => state === 'missing')
  if (json) context.print(JSON.stringify(findings))
  else for (const finding of findings) for (const text of findingLines(finding)) context.print(text)
  const { length: count } = missing
  if (count > 0)
    return fail(context, `${count} of ${counted(findings.length, 'check')} failed. See the lines marked MISSING.`)
  context.say(`All ${findings.length} checks passed.`)
  return 0
}

const marks = { ok: 'ok     ', missing: 'MISSING', look: 'look   ' } as const

function findingLines({ what, state, advice }: LiveFinding): string[] {
  return [`${marks[state]}  ${what}`, ...(advice && state !== 'ok' ? [`         ${advice}`] : [])]
}
