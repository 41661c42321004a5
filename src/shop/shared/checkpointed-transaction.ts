import type { Transaction } from 'kysely'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { Commit, Tools } from './tools.ts'

/** Runs a transaction with checkpoints around its commit, at which recovery tests end the process. */
export async function commitWithCheckpoints<Result>(
  tools: Tools,
  what: Commit,
  work: (tx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  const result = await transaction(tools, async (tx) => {
    const done = await work(tx)
    tools.checkpoint(`${what} before commit`)
    return done
  })
  tools.checkpoint(`${what} after commit`)
  return result
}
