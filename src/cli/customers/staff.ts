import { findDenied } from '#database/customers/access-log.ts'
import { findStaff } from '#database/customers/second-factors.ts'
import { endAllLogins, endLogins } from '#database/customers/sessions.ts'
import { needsSecondFactor } from '#domain/customers/second-factor.ts'
import { resetSecondFactor } from '#shop/customers/credentials/second-factor.ts'
import { customerBy } from '#shop/customers/manage-customers.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, isMeant, jsonOption, type SubCommand, textGiven, yesOption } from '../shared/command-group.ts'
import { listOptions, pageGiven, printList } from '../shared/listing.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

/** What looks after those who work in the shop, among the commands about customers. */
export const staffSubCommands = {
  'second-factor': {
    usage: '[<customer> --reset] [options]',
    summary: 'Who works in the shop and has a second factor; takes one away whose owner has lost the device.',
    options: {
      reset: { type: 'boolean', what: 'takes it away and ends all logins; another one is set up at the next' },
      ...yesOption,
      ...jsonOption,
    },
    words: [0, 1],
    run: ([name], given, context) =>
      name === undefined && !given.reset ? listStaff(given, context) : reset(name, given, context),
  },

  'log-out': {
    usage: '<customer> | --all',
    summary: 'Ends every login of one account, or of all of them, staff too. Carts stay.',
    options: { all: { type: 'boolean', what: 'everybody who has an account' }, ...yesOption },
    words: [0, 1],
    run: ([name], given, context) =>
      given.all ? logEverybodyOut(name, given, context) : logOut(textGiven(name), context),
  },

  denied: {
    usage: '[options]',
    summary: 'Who wanted what only staff may, the last first.',
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
  if (staff.length === 0) context.say('Nobody works in this shop yet: customers role <customer> shop_manager')
  else {
    const rows = staff.map(({ id, email, role, confirmed_at: since }) => [
      String(id),
      email,
      role,
      since ? `since ${minute(since)} UTC` : required ? 'none: nothing opens before there is one' : 'none',
    ])
    for (const line of tableLines([['Number', 'E-mail', 'Role', 'Second factor'], ...rows])) context.print(line)
  }
  return 0
}

/** Says so where there is none. */
async function namedCustomer(context: CommandContext, who: string) {
  const customer = await customerBy(context, who)
  if (!customer) context.say(`There is no customer "${who}".`)
  return customer
}

async function reset(name: string | undefined, given: Given, context: CommandContext): Promise<number> {
  const who = textGiven(name)
  if (!who || !given.reset) {
    context.say('Say whose, and --reset: customers second-factor ida@example.com --reset')
    return 2
  }
  const customer = await namedCustomer(context, who)
  if (!customer) return 1
  const { id, email } = customer
  if (!(await isMeant(given, context, `Let ${email} log in by the password alone until there is another device?`)))
    return 1
  const was = await resetSecondFactor(context, id, context.who)
  context.say(
    was ? `${email} has no second factor any more, and is logged out everywhere.` : `${email} had no second factor.`,
  )
  return was ? 0 : 1
}

async function logOut(who: string | undefined, context: CommandContext): Promise<number> {
  if (!who) {
    context.say('Say whom, or --all: customers log-out ida@example.com')
    return 2
  }
  const customer = await namedCustomer(context, who)
  if (!customer) return 1
  const { id, email } = customer
  await recordStaffAccess(context, 'customers log-out', `customer:${id}`)
  const ended = await endLogins(context.db.kysely, id, null)
  context.say(ended === 0 ? `${email} was logged in nowhere.` : `${email} is logged out everywhere (${ended}).`)
  return 0
}

async function logEverybodyOut(name: unknown, given: Given, context: CommandContext): Promise<number> {
  if (name !== undefined) {
    context.say('Say a customer or --all, not both.')
    return 2
  }
  if (!(await isMeant(given, context, 'Log out everybody who has an account?'))) return 1
  await recordStaffAccess(context, 'customers log-out', 'all')
  context.say(`Everybody is logged out (${await endAllLogins(context.db.kysely)}).`)
  return 0
}

async function listDenied(given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  if (typeof page === 'string') {
    context.say(page)
    return 2
  }
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
    none: 'Nobody wanted what is not theirs.',
  })
  return 0
}
