import { sourceGateway } from '#contract/import/source/source-rules.ts'
import { type MigrationRun, sourceRecords } from './migration-run.ts'

/** Payment methods of the classic shop that have a counterpart here. */
const knownGateways: ReadonlySet<string> = new Set(['bacs', 'cheque', 'cod'])
const paypal = /^(?:ppcp|ppec|paypal)/

/** Notes for the merchant: payment methods are set up here, and are not part of a migration. */
export async function noteUnknownParts(run: MigrationRun): Promise<void> {
  const options = { kind: 'payment methods', path: 'payment_gateways', counted: false }
  for (const { id, title, enabled } of await sourceRecords(run, options, sourceGateway)) {
    if (!enabled) continue
    const name = `"${title || id}" (${id})`
    if (knownGateways.has(id))
      run.report.differs('payment methods', id, `${name} exists here: set it up under "payments"`)
    else if (paypal.test(id)) run.report.differs('payment methods', id, `${name}: connect PayPal here`)
    else
      run.report.differs(
        'payment methods',
        id,
        `${name} does not exist here: its orders come, new ones need another method`,
      )
  }
}
