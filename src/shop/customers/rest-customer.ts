import type { V3CustomerRecord } from '#contract/customers/v3-customers.ts'
import type { CustomerRow } from '#database/customers/customers.ts'
import type { CustomerExtras } from '#database/customers/rest-customers.ts'
import { localTime } from '../shared/local-time.ts'
import { metaEntries } from '../shared/meta-data.ts'
import type { Tools } from '../shared/tools.ts'
import { addressOf } from './sessions/login-state.ts'

/** Returns a customer for the REST API, without anything that grants access. */
export function restCustomer(
  { settings }: Pick<Tools, 'settings'>,
  row: CustomerRow,
  { meta, paying }: CustomerExtras,
): V3CustomerRecord {
  const { email: _, ...shipping } = addressOf(row.shipping)
  return {
    id: row.id,
    date_created: localTime(row.created_at, settings.timeZone),
    date_created_gmt: localTime(row.created_at, 'UTC'),
    date_modified: localTime(row.updated_at, settings.timeZone),
    date_modified_gmt: localTime(row.updated_at, 'UTC'),
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    role: row.role,
    username: row.username,
    billing: addressOf(row.billing),
    shipping,
    is_paying_customer: paying.has(row.id),
    // No picture service learns who is a customer.
    avatar_url: '',
    meta_data: [...metaEntries(meta.get(row.id) ?? {})],
  }
}
