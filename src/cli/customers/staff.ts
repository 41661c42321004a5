import { findDenied } from '#database/customers/access-log.ts'
import { findStaff } from '#database/customers/second-factors.ts'
import { endAllLogins, endLogins } from '#database/customers/sessions.ts'
import { needsSecondFactor } from '#domain/customers/second-factor.ts'
import { resetSecondFactor } from '#shop/customers/credentials/second-factor.ts'
import { customerBy } from '#shop/customers/manage-customers.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, isConfirmed, jsonOption, type SubCommand, textGiven, yesOption } from '../shared/command-group.ts'
import { listOptions, pageGiven, printList } from '../shared/listing.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { counted, fail, rejectUsage } from '../shared/messages.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

/** Commands about staff and logins, a part of the command group `customers`. */
export const staffSubCommands = {
  'second-factor': {
    usage: '[<customer> --reset] [options]',
    summary: 'Lists staff and their second factors, or resets the one of a lost device.',
    example: 'ida@example.com --reset',
    options: {
      reset: { type: 'boolean', what: 'removes it and ends all logins; the next login sets up another one' },
      ...yesOption,
      ...jsonOption,
    },
    words: [0, 1],
    run: ([name], given, context) =>
      name === undefined && !given.reset ? listStaff(given, context) : reset(name, given, context),
  },

  'log-out': {
    usage: '<customer> | --all',
    summary: 'Ends all logins of one account, or of all accounts including staff. Carts remain.',
    example: 'ida@example.com',
    options: { all: { type: 'boolean', what: 'all accounts' }, ...yesOption },
    words: [0, 1],
    run: ([name], given, context) =>
      given.all ? endAllAccountLogins(name, given, context) : logOut(textGiven(name), context),
  },

  denied: {
    usage: '[options]',
    summary: 'Lists denied requests for staff pages, newest first.',
    example: '',
    options: listOptions,
    words: [0, 0],
    run: (_, given, context) => listDenied(given, context),
  },
} satisfies Readonly<Record<string, SubCommand>>

async function listStaff(given: Given, context: CommandContext): Promise<number> {
  await recordStaffAccess(context, 'customers second-factor', 'list')
  const staff = await findStaff(context.db.kysely)
  if (given.json) {
    const records = staff.map(({ id, email, role, confirmed_at: since }) => ({ id, email, role, secondFactor: since }))
    context.print(JSON.stringify(records))
    return 0
  }
  const required = needsSecondFactor(context.settings.staff.secondFactor, context.publicUrl)
  if (staff.length === 0) context.say('There is no staff yet. Appoint someone: customers role <customer> shop_manager')
  else {
    const rows = staff.map(({ id, email, role, confirmed_at: since }) => [
      String(id),
      email,
      role,
      since ? `since ${minute(since)} UTC` : required ? 'none: required at the next login' : 'none',
    ])
    for (const line of tableLines([['Number', 'Email', 'Role', 'Second factor'], ...rows])) context.print(line)
  }
  return 0
}

/** Finds a customer, or prints that there is none. */
async function namedCustomer(context: CommandContext, who: string) {
  const customer = await customerBy(context, who)
  if (!customer) fail(context, `customer "${who}" does not exist. List customers: customers list`)
  return customer
}

async function reset(name: string | undefined, given: Given, context: CommandContext): Promise<number> {
  const who = textGiven(name)
  if (!who || !given.reset) {
    return rejectUsage(context, 'name a customer and --reset. Example: customers second-factor ida@example.com --reset')
  }
  const customer = await namedCustomer(context, who)
  if (!customer) return 1
  const { id, email } = customer
  const action = `Reset the second factor of ${email}`
  if (!(await isConfirmed(given, context, action, 'The password alone opens the next login.'))) return 1
  const was = await resetSecondFactor(context, id, context.who)
  if (!was) return fail(context, `${email} has no second factor. List staff: customers second-factor`)
  context.say(`Reset the second factor of ${email} and ended all logins.`)
  return 0
}

async function logOut(who: string | undefined, context: CommandContext): Promise<number> {
  if (!who) {
    return rejectUsage(context, 'name a customer, or use --all. Example: customers log-out ida@example.com')
  }
  const customer = await namedCustomer(context, who)
  if (!customer) return 1
  const { id, email } = customer
  await recordStaffAccess(context, 'customers log-out', `customer:${id}`)
  const ended = await endLogins(context.db.kysely, id, null)
  context.say(`Ended ${counted(ended, 'login')} of ${email}.`)
  return 0
}

async function endAllAccountLogins(name: unknown, given: Given, context: CommandContext): Promise<number> {
  if (name !== undefined) {
    return rejectUsage(context, `customer "${String(name)}" and --all cannot be combined. Use one of them.`)
  }
  if (!(await isConfirmed(given, context, 'End the logins of all accounts'))) return 1
  await recordStaffAccess(context, 'customers log-out', 'all')
  context.say(`Ended ${counted(await endAllLogins(context.db.kysely), 'login')} of all accounts.`)
  return 0
}

async function listDenied(given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  if (typeof page === 'string') return rejectUsage(context, page)
  const { count, tries } = await findDenied(context.db.kysely, page)
  printList(context, given, page, {
    items: tries,
    count,
    columns: [
      { title: 'When (UTC)', cell: ({ at }) => minute(at) },
      { title: 'Who', cell: ({ who, email }) => email ?? who },
      { title: 'Wanted', cell: ({ subject }) => subject },
    ],
    json: ({ at, who, email, subject }) => ({ at, who, email, wanted: subject }),
    none: 'No request was denied.',
  })
  return 0
}
