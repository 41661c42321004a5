import { writeFile } from 'node:fs/promises'
import { urls } from '#contract/shared/urls.ts'
import type { CustomerRow } from '#database/customers/customers.ts'
import { customerSorts, listDeskCustomers } from '#database/customers/desk-customers.ts'
import { createResetLink } from '#shop/customers/credentials/reset-password.ts'
import {
  addCustomer,
  customerRoles,
  type NewCustomerRefusal,
  readDeskCustomer,
} from '#shop/customers/desk-customers.ts'
import { eraseCustomer } from '#shop/customers/erase-customer.ts'
import { exportCustomer } from '#shop/customers/export-customer.ts'
import { customerBy, setRole, setVatExempt } from '#shop/customers/manage-customers.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, isMeant, jsonOption, textGiven, yesOption } from '../shared/command-group.ts'
import { listOptions, pageGiven, printList, unknownWord, wordOf } from '../shared/listing.ts'
import { listSubject, recordStaffAccess } from '../shared/log-access.ts'
import { customerColumns, customerJson, customerLines } from './customer-text.ts'
import { eraseGuestOrders, guestExport, warnOfGuestOrders } from './guests.ts'
import { staffSubCommands } from './staff.ts'

const named = { words: [1, 1] } as const
const yesNo = ['yes', 'no'] as const

const problems: Readonly<Record<NewCustomerRefusal, string>> = {
  'email-invalid': 'That is no e-mail address.',
  'email-taken': 'Somebody has an account with this address.',
  'username-invalid': '--username: letters, digits, blanks and _ . - @, at most 60 of them.',
  'username-taken': '--username: somebody has it.',
  'name-too-long': 'A name has at most 100 characters.',
}

export const customersCommand = commandGroup('customers', {
  list: {
    usage: '[text] [options]',
    summary: 'Customers, the newest first, with what they have bought.',
    options: {
      search: { type: 'string', value: '<text>', what: 'in the names, the address or the user name' },
      role: { type: 'string', value: '<role>', what: customerRoles.join(', '), completes: customerRoles },
      sort: { type: 'string', value: '<order>', what: `${customerSorts.join(', ')}; newest`, completes: customerSorts },
      ...listOptions,
    },
    words: [0, 1],
    run: ([text], given, context) => list({ ...given, ...(text === undefined ? {} : { search: text }) }, context),
  },

  show: {
    ...named,
    usage: '<customer> [--json]',
    summary: 'One customer by e-mail address, user name or number, with addresses and the last orders.',
    options: jsonOption,
    run: ([name = ''], { json }, context) =>
      withCustomer(name, context, async (customer) => {
        await recordStaffAccess(context, 'customers show', `customer:${customer.id}`)
        const record = await readDeskCustomer(context, customer)
        if (!record) return unknown(name, context)
        if (json) context.print(JSON.stringify(customerJson(record, context.settings)))
        else for (const line of customerLines(record, context.settings)) context.print(line)
        return 0
      }),
  },

  create: {
    usage: '<e-mail> [options]',
    summary: 'Opens an account and sends a link by which its owner chooses a password.',
    options: {
      username: { type: 'string', value: '<name>', what: 'to log in by; made from the address if left out' },
      'first-name': { type: 'string', value: '<name>', what: '' },
      'last-name': { type: 'string', value: '<name>', what: '' },
      role: {
        type: 'string',
        value: '<role>',
        what: `${customerRoles.join(', ')}; customer`,
        completes: customerRoles,
      },
      'no-mail': { type: 'boolean', what: 'sends no link: customers reset-link makes one later' },
      ...jsonOption,
    },
    words: [1, 1],
    run: ([email = ''], given, context) => create(email, given, context),
  },

  role: {
    usage: '<customer> <role>',
    summary: `Makes somebody one of ${customerRoles.join(', ')}.`,
    options: {},
    words: [2, 2],
    completes: [[], customerRoles],
    run: ([name = '', word = ''], _, context) =>
      withCustomer(name, context, async ({ id, email }) => {
        const role = wordOf(word, customerRoles)
        if (!role) {
          context.say(unknownWord('role', word, customerRoles))
          return 2
        }
        await recordStaffAccess(context, `customers role ${role}`, `customer:${id}`)
        const changed = await setRole(context, id, role)
        context.say(
          changed === 'changed' ? `${email} is ${role}, and logged out everywhere.` : `${email} is ${role} already.`,
        )
        return 0
      }),
  },

  ...staffSubCommands,

  exempt: {
    usage: '<customer> yes|no',
    summary: 'Says whether somebody pays no tax, as those do who show a foreign tax number.',
    options: {},
    words: [2, 2],
    completes: [[], yesNo],
    run: ([name = '', word = ''], _, context) =>
      withCustomer(name, context, async ({ id, email }) => {
        const answer = wordOf(word, yesNo)
        if (!answer) {
          context.say('Say yes or no.')
          return 2
        }
        await recordStaffAccess(context, `customers exempt ${answer}`, `customer:${id}`)
        await setVatExempt(context, id, answer === 'yes')
        context.say(`${email} pays ${answer === 'yes' ? 'no tax' : 'tax as everybody does'}.`)
        return 0
      }),
  },

  export: {
    ...named,
    usage: '<customer> [--out file.json]',
    summary: 'All that the shop holds about somebody, also a guest by the e-mail address, as JSON, for them to have.',
    options: { out: { type: 'string', value: '<file>', what: 'writes it there, readable by you alone' } },
    run: async ([name = ''], given, context) => {
      const customer = await customerBy(context, name)
      if (customer) {
        await recordStaffAccess(context, 'customers export', `customer:${customer.id}`)
        await warnOfGuestOrders(customer, context)
      }
      const held = customer ? await exportCustomer(context, customer.id, true) : await guestExport(name, context)
      return held ? giveOut(JSON.stringify(held, null, 2), textGiven(given.out), context) : unknown(name, context)
    },
  },

  erase: {
    ...named,
    usage: '<customer>',
    summary:
      'Closes an account for good, or takes a guest out of orders. Orders stay for the books, as the setting privacy.keepOrderData says.',
    options: yesOption,
    run: async ([name = ''], given, context) => {
      const customer = await customerBy(context, name)
      if (!customer) return (await eraseGuestOrders(name, given, context)) ?? unknown(name, context)
      const { id, email } = customer
      await warnOfGuestOrders(customer, context)
      if (!(await isMeant(given, context, `Close the account of ${email} for good?`))) return 1
      const erased = await eraseCustomer(context, id, context.who, true)
      if (!erased.ok && erased.reason === 'staff')
        context.say(`${email} is staff: first customers role ${email} customer`)
      else if (!erased.ok) unknown(name, context)
      else context.say(`The account of ${email} is gone. The running shop mails a last message there.`)
      return erased.ok ? 0 : 1
    },
  },

  'reset-link': {
    ...named,
    usage: '<customer>',
    summary: 'Makes a link by which the customer chooses a new password within half an hour. Earlier links end.',
    options: jsonOption,
    run: ([name = ''], { json }, context) =>
      withCustomer(name, context, async (customer) => {
        await recordStaffAccess(context, 'customers reset-link', `customer:${customer.id}`)
        const link = await createResetLink(context, customer)
        if (!link) {
          context.say(`Error: the address ${customer.email} was changed just now. Run the command again.`)
          return 1
        }
        const url = context.publicUrl + urls.lostPassword({ key: link.key, id: customer.id })
        context.print(json ? JSON.stringify({ id: customer.id, url }) : url)
        context.say(`Whoever has this link can enter the account of ${customer.email}: give it to nobody else.`)
        return 0
      }),
  },
})

async function list(given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  const role = wordOf(given.role, customerRoles)
  const sort = wordOf(given.sort, customerSorts)
  if (typeof page === 'string' || role === null || sort === null) {
    if (typeof page === 'string') context.say(page)
    if (role === null) context.say(unknownWord('role', given.role, customerRoles))
    if (sort === null) context.say(unknownWord('sort', given.sort, customerSorts))
    return 2
  }
  await recordStaffAccess(context, 'customers list', listSubject(given))
  const { currency } = context.settings
  const filter = { text: textGiven(given.search) || undefined, role }
  const order = { sort: sort ?? 'newest', ...page }
  const { count, customers } = await listDeskCustomers(context.db.kysely, filter, order, currency)
  printList(context, given, page, {
    items: customers,
    count,
    columns: customerColumns(context.settings),
    json: (customer) => customerJson({ bought: customer }, context.settings),
    none: filter.text || role ? 'No customer is like that.' : 'Nobody has an account yet.',
  })
  return 0
}

async function create(email: string, given: Given, context: CommandContext): Promise<number> {
  const role = wordOf(given.role, customerRoles)
  if (role === null) {
    context.say(unknownWord('role', given.role, customerRoles))
    return 2
  }
  const made = await addCustomer(context, {
    email,
    username: textGiven(given.username) ?? '',
    firstName: textGiven(given['first-name']) ?? '',
    lastName: textGiven(given['last-name']) ?? '',
    role: role ?? 'customer',
    invite: given['no-mail'] !== true,
  })
  if (!made.ok) {
    context.say(problems[made.reason])
    return 1
  }
  const { customer } = made
  if (given.json) context.print(JSON.stringify({ id: customer.id, email: customer.email, username: customer.username }))
  else context.print(`Customer ${customer.id}: ${customer.email}, user name ${customer.username}, ${customer.role}`)
  if (given['no-mail'] !== true) context.say('The running shop sends the link by which a password is chosen.')
  return 0
}

async function giveOut(text: string, file: string | undefined, { print, say }: CommandContext): Promise<number> {
  if (file === undefined) {
    print(text)
    return 0
  }
  try {
    // A file that is there already is somebody's: it is not written over.
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    say(`${file} was not written: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
  say(`Written to ${file}, readable by you alone.`)
  return 0
}

async function withCustomer(
  name: string,
  context: CommandContext,
  use: (customer: CustomerRow) => Promise<number>,
): Promise<number> {
  const customer = await customerBy(context, name)
  return customer ? use(customer) : unknown(name, context)
}

function unknown(name: string, { say }: CommandContext): number {
  say(`There is no customer "${name}". Guests have orders and no account: orders list --customer ${name}`)
  return 1
}
