import type { Transaction } from 'kysely'
import type { CsvAddress } from '#contract/addresses/address-csv.ts'
import {
  type CustomerColumn,
  customerTitles,
  type ImportedCustomer,
  readImportedCustomer,
} from '#contract/customers/customers-csv.ts'
import { type Header, readHeader, type TextRow } from '#contract/shared/record-csv.ts'
import { type CustomerRow, takenUsernames } from '#database/customers/customers.ts'
import {
  insertCustomers,
  lockCustomersByEmail,
  updateImportedCustomer,
} from '#database/customers/imported-customers.ts'
import type { NewRow, Schema } from '#database/engine/schema/schema.ts'
import { freeUserName, isUserName, userNameBase, userNameCandidates } from '#domain/customers/user-name.ts'
import {
  importRecords,
  type RecordImportOptions,
  type RecordImportReport,
  type RecordKind,
  type Written,
} from '../import/import-records.ts'
import { canonicalJson } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { emptyAddress } from './sessions/session-state.ts'

type ImportTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'settings'>

/** Roles of the classic shop without any permission. */
const customerRoles: ReadonlySet<string> = new Set(['', 'customer', 'subscriber'])

/**
 * Imports customers without passwords, and sends no email. Their first login mails a link to choose one: see `sign-in.ts`.
 * Accounts of staff are neither created nor changed by a file.
 */
export function importCustomers(
  tools: ImportTools,
  rows: AsyncIterable<TextRow>,
  options: RecordImportOptions,
): Promise<RecordImportReport> {
  return importRecords(tools, rows, customerKind(tools), options)
}

function customerKind(tools: ImportTools): RecordKind<ImportedCustomer> {
  let header: Header<CustomerColumn> = { found: new Map(), numbered: [], unknown: [] }
  const seen = new Map<string, number>()
  return {
    open(titles) {
      header = readHeader(titles, customerTitles)
      return header.found.has('email')
        ? { unknown: header.unknown }
        : { unknown: [], missing: 'has no column with email addresses (Email)' }
    },
    read: ([row = { row: 0, cells: [] }]) => readImportedCustomer(header, row, tools.settings),
    async write(tx, customers, existing) {
      const twice = customers.map(({ email, row }) => {
        const before = seen.get(email)
        seen.set(email, before ?? row)
        return before
      })
      const open = customers.filter((_, place) => twice[place] === undefined)
      const written = (await writeCustomers(tools, tx, open, existing)).values()
      return customers.map(({ row, email }, place): Written => {
        const before = twice[place]
        if (before === undefined) return written.next().value ?? { outcome: 'skipped' }
        return { faults: [{ row, column: 'email', value: email, problem: `is the address of row ${before}, too` }] }
      })
    },
  }
}

async function writeCustomers(
  { clock, chance }: ImportTools,
  tx: Transaction<Schema>,
  customers: readonly ImportedCustomer[],
  existing: 'update' | 'skip',
): Promise<Written[]> {
  const stored = await lockCustomersByEmail(
    tx,
    customers.map(({ email }) => email),
  )
  const before = new Map(stored.map((row) => [row.email, row]))
  const wanted = customers.filter(({ email }) => !before.has(email)).map((customer) => namesOf(customer))
  const taken = new Set(wanted.length > 0 ? await takenUsernames(tx, wanted.flat()) : [])
  const inserts: NewRow<'customers'>[] = []
  const now = clock.now()
  const results: Written[] = []
  for (const customer of customers) {
    const known = before.get(customer.email)
    const { row, email, role } = customer
    if (!customerRoles.has(role) && !known) {
      const note = { row, column: 'role', value: role, problem: `is not imported: ${email} becomes a customer` }
      results.push({ outcome: 'created', notes: [note] })
    } else if (!known) results.push({ outcome: 'created' })
    else results.push(existing === 'skip' ? { outcome: 'skipped' } : await update(tx, known, customer, now))
    if (known) continue
    const free = freeUserName(namesOf(customer), taken)
    const username = free ?? `${userNameBase(email, { first: '', last: '' })}-${chance.alphanumeric(5).toLowerCase()}`
    taken.add(username.toLowerCase())
    inserts.push(newCustomer(customer, username, now))
  }
  await insertCustomers(tx, inserts)
  return results
}

/** Returns the user names to try: the one of the file, then names made of the customer's. */
function namesOf(customer: ImportedCustomer): string[] {
  const { username, email } = customer
  const base = userNameBase(email, fullName(customer))
  const own = isUserName(username) ? [username] : []
  return [...own, ...userNameCandidates(base, 10)].map((name) => (own.includes(name) ? name : name.toLowerCase()))
}

/** Returns the names of a customer. Many files have them in the address only. */
function fullName({ firstName, lastName, billing }: ImportedCustomer): { first: string; last: string } {
  if (firstName !== '' || lastName !== '') return { first: firstName, last: lastName }
  return { first: billing?.first_name ?? '', last: billing?.last_name ?? '' }
}

function newCustomer(customer: ImportedCustomer, username: string, now: Date): NewRow<'customers'> {
  const { email, taxExempt } = customer
  const { first, last } = fullName(customer)
  return {
    email,
    email_wanted: email,
    username,
    first_name: first,
    last_name: last,
    display_name: customer.displayName || `${first} ${last}`.trim() || username,
    password: null,
    billing: customer.billing ? addressOf(customer.billing, email) : {},
    shipping: customer.shipping ? addressOf(customer.shipping, '') : {},
    vat_exempt: taxExempt ?? false,
    state: taxExempt ? { vatExempt: true } : {},
    created_at: customer.registered ?? now,
    updated_at: now,
  }
}

const addressOf = (address: CsvAddress, email: string) => ({ ...emptyAddress, ...address, email })

/** Updates what the file states: names, addresses and tax exemption; never address, user name, password or role. */
async function update(
  tx: Transaction<Schema>,
  known: CustomerRow,
  customer: ImportedCustomer,
  now: Date,
): Promise<Written> {
  const { row, email, billing, shipping, taxExempt } = customer
  if (known.role !== 'customer')
    return {
      outcome: 'skipped',
      notes: [{ row, column: 'email', value: email, problem: 'is an account of staff, which files do not change' }],
    }
  const kept = { ...known.billing }
  const change = {
    ...(customer.firstName === '' ? {} : { first_name: customer.firstName }),
    ...(customer.lastName === '' ? {} : { last_name: customer.lastName }),
    ...(customer.displayName === '' ? {} : { display_name: customer.displayName }),
    ...(billing ? { billing: addressOf(billing, String(kept.email ?? email)) } : {}),
    ...(shipping ? { shipping: addressOf(shipping, '') } : {}),
  }
  // The keys are columns, as the type states.
  const stored = Object.fromEntries(Object.keys(change).map((column) => [column, known[column as keyof typeof change]]))
  const exempt = taxExempt === null || taxExempt === known.vat_exempt ? null : taxExempt
  if (exempt === null && canonicalJson(stored) === canonicalJson(change)) return { outcome: 'unchanged' }
  await updateImportedCustomer(tx, known.id, { ...change, updated_at: now }, exempt)
  return { outcome: 'updated' }
}
