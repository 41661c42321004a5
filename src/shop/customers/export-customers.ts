import { type ExportedCustomerColumn, exportedCustomerColumns } from '#contract/customers/customers-csv.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import type { CustomerRow } from '#database/customers/customers.ts'
import { listCustomersAfter } from '#database/customers/imported-customers.ts'
import { momentText } from '../shared/local-time.ts'
import type { Tools } from '../shared/tools.ts'
import { addressOf } from './sessions/login-state.ts'

const customersAtOnce = 500

/** Yields the lines of a customer file. It has no passwords, logins or carts. */
export async function* exportCustomers({ db }: Pick<Tools, 'db'>): AsyncGenerator<string> {
  yield csvLine(exportedCustomerColumns)
  for (let after = 0; ; ) {
    const customers = await listCustomersAfter(db.kysely, after, customersAtOnce)
    for (const customer of customers) {
      const cells = cellsOf(customer)
      yield csvLine(exportedCustomerColumns.map((column) => cells[column]))
    }
    const last = customers.at(-1)
    if (!last || customers.length < customersAtOnce) return
    after = last.id
  }
}

function cellsOf(row: CustomerRow): Readonly<Record<ExportedCustomerColumn, string>> {
  const [billing, shipping] = [addressOf(row.billing), addressOf(row.shipping)]
  return {
    customer_id: String(row.id),
    user_login: row.username,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    display_name: row.display_name,
    role: row.role,
    date_registered: momentText(row.created_at),
    vat_exempt: row.vat_exempt ? 'yes' : 'no',
    billing_first_name: billing.first_name,
    billing_last_name: billing.last_name,
    billing_company: billing.company,
    billing_phone: billing.phone,
    billing_address_1: billing.address_1,
    billing_address_2: billing.address_2,
    billing_postcode: billing.postcode,
    billing_city: billing.city,
    billing_state: billing.state,
    billing_country: billing.country,
    shipping_first_name: shipping.first_name,
    shipping_last_name: shipping.last_name,
    shipping_company: shipping.company,
    shipping_phone: shipping.phone,
    shipping_address_1: shipping.address_1,
    shipping_address_2: shipping.address_2,
    shipping_postcode: shipping.postcode,
    shipping_city: shipping.city,
    shipping_state: shipping.state,
    shipping_country: shipping.country,
  }
}
