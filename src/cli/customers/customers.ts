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
import { commandGroup, type Given, isConfirmed, jsonOption, textGiven, yesOption } from '../shared/command-group.ts'
import { listOptions, pageGiven, printList, unknownWord, wordOf } from '../shared/listing.ts'
import { listSubject, recordStaffAccess } from '../shared/log-access.ts'
import { fail, rejectUsage, warn } from '../shared/messages.ts'
import { customerColumns, customerJson, customerLines } from './customer-text.ts'
import { eraseGuestOrders, guestExport, warnOfGuestOrders } from './guests.ts'
import { staffSubCommands } from './staff.ts'

const named = { words: [1, 1] } as const
const yesNo = ['yes', 'no'] as const

const problems: Readonly<Record<NewCustomerRefusal, string>> = {
  'email-invalid': 'is not an email address. Example: customers create ida@example.com',
  'email-taken': 'has an account already. Show it with: customers show',
  'username-invalid': 'is not a user name: letters, digits, spaces and _ . - @, at most 60. Choose another --username.',
  'username-taken': 'is the user name of another account. Choose another --username.',
  'name-too-long': 'is longer than 100 characters. Shorten the name.',
}

export const customersCommand = commandGroup('customers', {
  list: {
    usage: '[text] [options]',
    summary: 'Lists customers with their orders and revenue, newest first.',
    example: 'ida --sort spent',
    options: {
      search: { type: 'string', value: '<text>', what: 'in names, email address or user name' },
      role: { type: 'string', value: '<role>', what: customerRoles.join(', '), completes: customerRoles },
      sort: {
        type: 'string',
        value: '<order>',
        what: `${customerSorts.join(', ')}; newest by default`,
        completes: customerSorts,
      },
      ...listOptions,
    },
    words: [0, 1],
    run: ([text], given, context) => list({ ...given, ...(text === undefined ? {} : { search: text }) }, context),
  },

  show: {
    ...named,
    usage: '<customer> [--json]',
    summary: 'Shows a customer, by email address, user name or number, with addresses and last orders.',
    example: 'ida@example.com',
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
    usage: '<email> [options]',
    summary: 'Creates an account and emails its owner a link to choose a password.',
    example: 'ida@example.com --first-name Ida',
    options: {
      username: { type: 'string', value: '<name>', what: 'for the login; derived from the address unless given' },
      'first-name': { type: 'string', value: '<name>', what: 'the first name' },
      'last-name': { type: 'string', value: '<name>', what: 'the last name' },
      role: {
        type: 'string',
        value: '<role>',
        what: `${customerRoles.join(', ')}; customer by default`,
        completes: customerRoles,
      },
      'no-mail': { type: 'boolean', what: 'sends no email; create a link later with "customers reset-link"' },
      ...jsonOption,
    },
    words: [1, 1],
    run: ([email = ''], given, context) => create(email, given, context),
  },

  role: {
    usage: '<customer> <role>',
    summary: `Sets the role of an account: ${customerRoles.join(', ')}.`,
    example: 'ida@example.com shop_manager',
    options: {},
    words: [2, 2],
    completes: [[], customerRoles],
    run: ([name = '', word = ''], _, context) =>
      withCustomer(name, context, async ({ id, email }) => {
        const role = wordOf(word, customerRoles)
        if (!role) {
          return rejectUsage(context, unknownWord('role', word, customerRoles))
        }
        await recordStaffAccess(context, `customers role ${role}`, `customer:${id}`)
        const changed = await setRole(context, id, role)
        context.say(
          changed === 'changed'
            ? `${email} now has the role ${role}, and all logins were ended.`
            : `No change: ${email} has the role ${role} already.`,
        )
        return 0
      }),
  },

  ...staffSubCommands,

  exempt: {
    usage: '<customer> yes|no',
    summary: 'Exempts a customer from tax, as with a foreign tax number, or ends the exemption.',
    example: 'ida@example.com yes',
    options: {},
    words: [2, 2],
    completes: [[], yesNo],
    run: ([name = '', word = ''], _, context) =>
      withCustomer(name, context, async ({ id, email }) => {
        const answer = wordOf(word, yesNo)
        if (!answer) {
          return rejectUsage(context, `"${word}" is neither yes nor no. Example: customers exempt ${name} yes`)
        }
        await recordStaffAccess(context, `customers exempt ${answer}`, `customer:${id}`)
        await setVatExempt(context, id, answer === 'yes')
        context.say(`${email} is ${answer === 'yes' ? 'now' : 'no longer'} exempt from tax.`)
        return 0
      }),
  },

  export: {
    ...named,
    usage: '<customer> [--out file.json]',
    summary: 'Exports all data about a customer, or about a guest by email address, as JSON.',
    example: 'ida@example.com --out ida.json',
    options: { out: { type: 'string', value: '<file>', what: 'writes a file that only you can read' } },
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
      'Erases an account for good, or the data of a guest. Orders keep their data while the setting privacy.keepOrderData is on.',
    example: 'ida@example.com',
    options: yesOption,
    run: async ([name = ''], given, context) => {
      const customer = await customerBy(context, name)
      if (!customer) return (await eraseGuestOrders(name, given, context)) ?? unknown(name, context)
      const { id, email } = customer
      await warnOfGuestOrders(customer, context)
      if (!(await isConfirmed(given, context, `Erase the account of ${email} for good`))) return 1
      const erased = await eraseCustomer(context, id, context.who, true)
      if (!erased.ok && erased.reason === 'staff')
        return fail(context, `${email} is staff. Change the role first: customers role ${email} customer`)
      if (!erased.ok) return unknown(name, context)
      context.say(`Erased the account of ${email}. The running shop sends a last email there.`)
      return 0
    },
  },

  'reset-link': {
    ...named,
    usage: '<customer>',
    summary: 'Creates a link to choose a new password, valid for 30 minutes. Earlier links become invalid.',
    example: 'ida@example.com',
    options: jsonOption,
    run: ([name = ''], { json }, context) =>
      withCustomer(name, context, async (customer) => {
        await recordStaffAccess(context, 'customers reset-link', `customer:${customer.id}`)
        const link = await createResetLink(context, customer)
        if (!link) {
          return fail(context, `the address ${customer.email} was changed just now. Run the command again.`)
        }
        const url = context.publicUrl + urls.lostPassword({ key: link.key, id: customer.id })
        context.print(json ? JSON.stringify({ id: customer.id, url }) : url)
        warn(context, `the link opens the account of ${customer.email}. Give it to its owner only.`)
        return 0
      }),
  },
})

async function list(given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  const role = wordOf(given.role, customerRoles)
  const sort = wordOf(given.sort, customerSorts)
  if (typeof page === 'string' || role === null || sort === null) {
    if (typeof page === 'string') return rejectUsage(context, page)
    if (role === null) return rejectUsage(context, unknownWord('role', given.role, customerRoles))
    return rejectUsage(context, unknownWord('sort order', given.sort, customerSorts))
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
    none:
      filter.text || role
        ? 'No customer matches.'
        : 'There are no accounts yet. Create one: customers create ida@example.com',
  })
  return 0
}

async function create(email: string, given: Given, context: CommandContext): Promise<number> {
  const role = wordOf(given.role, customerRoles)
  if (role === null) {
    return rejectUsage(context, unknownWord('role', given.role, customerRoles))
  }
  const [username, firstName, lastName] = ['username', 'first-name', 'last-name'].map(
    (option) => textGiven(given[option]) ?? '',
  ) as [string, string, string]
  const invite = given['no-mail'] !== true
  const made = await addCustomer(context, { email, username, firstName, lastName, role: role ?? 'customer', invite })
  if (!made.ok) {
    const isName = made.reason === 'username-invalid' || made.reason === 'username-taken'
    const value = isName ? username : made.reason === 'name-too-long' ? `${firstName} ${lastName}`.trim() : email
    return fail(context, `"${value}" ${problems[made.reason]}`)
  }
  const { customer } = made
  if (given.json) context.print(JSON.stringify({ id: customer.id, email: customer.email, username: customer.username }))
  else
    context.print(
      `Created customer ${customer.id}: ${customer.email}, user name ${customer.username}, role ${customer.role}.`,
    )
  if (invite) context.say('The running shop emails a link to choose a password.')
  return 0
}

async function giveOut(text: string, file: string | undefined, context: CommandContext): Promise<number> {
  const { print, say } = context
  if (file === undefined) {
    print(text)
    return 0
  }
  try {
    // An existing file is never overwritten.
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (exists) return fail(context, `${file} exists already. Name another file.`)
    throw error
  }
  say(`Wrote ${file}, which only you can read.`)
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

function unknown(name: string, context: CommandContext): number {
  return fail(context, `customer "${name}" does not exist. Find the orders of a guest: orders list --customer ${name}`)
}
