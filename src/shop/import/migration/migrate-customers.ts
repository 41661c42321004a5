import { type SourceCustomer, sourceCustomer } from '#contract/import/source/source-people.ts'
import { importCustomers } from '../../customers/import-customers.ts'
import { byId, eachPage, type MigrationRun } from './migration-run.ts'
import { addressCells, type RecordCells, reportRecords, textRows } from './record-rows.ts'

const kind = 'customers'

/** Brings customers without passwords: see `importCustomers`. Accounts of staff stay in the other shop. */
export async function migrateCustomers(run: MigrationRun): Promise<void> {
  const { dryRun, since } = run.options
  await eachPage(
    run,
    { kind, path: 'customers', query: { ...byId, role: 'customer' } },
    sourceCustomer,
    async (customers) => {
      const known = await run.known(
        kind,
        customers.map(({ id }) => id),
      )
      run.report.known(kind, known.size)
      const records: RecordCells[] = customers.flatMap((customer) => {
        const { id, date_created_gmt: createdAt } = customer
        // The list has no filter of its own for dates.
        const isEarlier = since !== null && createdAt !== null && createdAt < since
        return known.has(String(id)) || isEarlier ? [] : [{ id, cells: customerCells(customer) }]
      })
      if (records.length === 0) return
      const result = await importCustomers(run.tools(), textRows(records), {
        existing: 'skip',
        skipFaulty: true,
        dryRun,
      })
      const ids = reportRecords(run, kind, records, result)
      await run.record(
        kind,
        ids.map((id) => ({ sourceId: String(id), ownId: null })),
      )
    },
  )
}

function customerCells(customer: SourceCustomer): Record<string, string> {
  return {
    user_login: customer.username,
    email: customer.email,
    first_name: customer.first_name,
    last_name: customer.last_name,
    role: customer.role,
    date_registered: customer.date_created_gmt?.toISOString() ?? '',
    ...addressCells('billing', customer.billing),
    ...addressCells('shipping', customer.shipping),
  }
}
