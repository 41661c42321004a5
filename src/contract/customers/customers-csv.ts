import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { addressTitles, type CsvAddress, plainText, readAddress, splitName } from '../addresses/address-csv.ts'
import { type ColumnTitles, type Header, type RowFault, RowReader, type TextRow } from '../shared/record-csv.ts'
import { answerIn, momentIn } from '../shared/tolerant-cells.ts'

/** Columns of customer files: the titles of the classic export plug-ins, then Shopify's. */
const ownTitles = {
  email: ['email', 'user email', 'customer email', 'billing email', 'e mail'],
  username: ['user login', 'username', 'login'],
  firstName: ['first name'],
  lastName: ['last name'],
  name: ['name', 'full name'],
  displayName: ['display name'],
  role: ['role', 'roles'],
  registered: ['date registered', 'user registered', 'date created', 'created at', 'registered'],
  taxExempt: ['tax exempt', 'vat exempt', 'is vat exempt'],
  phone: ['phone'],
  // An ID of another shop, which means nothing here.
  id: ['customer id', 'id'],
} as const satisfies Readonly<Record<string, readonly string[]>>

const addresses = addressTitles(['default address'])

export type CustomerColumn = keyof typeof ownTitles | keyof typeof addresses

export const customerTitles: ColumnTitles<CustomerColumn> = { ...ownTitles, ...addresses }

/** A customer of a file. Passwords of other shops are never read: they are hashes that are of no use here. */
export type ImportedCustomer = {
  readonly row: number
  readonly email: string
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly displayName: string
  /** The word of the file; '' if it has none. */
  readonly role: string
  readonly registered: Date | null
  /** Null: the file does not say. */
  readonly taxExempt: boolean | null
  /** Null: the file has none. */
  readonly billing: CsvAddress | null
  readonly shipping: CsvAddress | null
}

/** Reads one customer. @returns null with faults where it cannot be imported */
export function readImportedCustomer(
  header: Header<CustomerColumn>,
  row: TextRow,
  { timeZone }: { readonly timeZone: string },
): { readonly record: ImportedCustomer | null; readonly faults: readonly RowFault[] } {
  const reader = new RowReader(header, row)
  const text = (column: CustomerColumn) => plainText(reader.text(column), 100)
  const email = emailIdentity(reader.text('email'))
  if (email === '') reader.fault('email', 'is missing')
  else if (!isEmail(email)) reader.fault('email', 'is no email address')
  const registered = reader.read<Date | null>('registered', null, (cell) => momentIn(cell, timeZone))
  const taxExempt = reader.read<boolean | null>('taxExempt', null, answerIn)
  const [billing, shipping] = [readAddress(reader, 'billing'), readAddress(reader, 'shipping')]
  if (reader.faults.length > 0) return { record: null, faults: reader.faults }
  const split = splitName(text('name'))
  const names = [text('firstName') || split.first, text('lastName') || split.last]
  const [firstName = '', lastName = ''] = names
  // A file without names in its addresses means those of the customer.
  const isUnnamed = !['billing_first_name', 'billing_last_name', 'billing_name'].some((column) =>
    reader.has(column as CustomerColumn),
  )
  const record = {
    row: row.row,
    email,
    username: text('username'),
    firstName,
    lastName,
    displayName: text('displayName'),
    role: text('role').toLowerCase(),
    registered,
    taxExempt,
    billing: billing && {
      ...billing,
      ...(isUnnamed ? { first_name: firstName, last_name: lastName } : {}),
      phone: billing.phone || text('phone'),
    },
    shipping,
  }
  return { record, faults: [] }
}

/** The columns of a customer file of this shop, in their order: those of the classic export. */
export const exportedCustomerColumns = [
  'customer_id',
  'user_login',
  'email',
  'first_name',
  'last_name',
  'display_name',
  'role',
  'date_registered',
  'vat_exempt',
  'billing_first_name',
  'billing_last_name',
  'billing_company',
  'billing_phone',
  'billing_address_1',
  'billing_address_2',
  'billing_postcode',
  'billing_city',
  'billing_state',
  'billing_country',
  'shipping_first_name',
  'shipping_last_name',
  'shipping_company',
  'shipping_phone',
  'shipping_address_1',
  'shipping_address_2',
  'shipping_postcode',
  'shipping_city',
  'shipping_state',
  'shipping_country',
] as const

export type ExportedCustomerColumn = (typeof exportedCustomerColumns)[number]
