import { sql } from 'kysely'
import { countChanges } from '../engine/change-counts.ts'
import type { Database } from '../engine/connect.ts'
import { isInstanceAlive } from '../payments/payments.ts'

/**
 * Setting with the processes that serve pages of each build, as an object of lists; it may include dead processes until
 * the next check.
 */
const buildsKey = 'pageBuilds'

/** A process that serves pages, and its build. */
export type PageMaker = { readonly build: string; readonly instance: number }

/**
 * Records that this process serves pages. When the last process of another build has ended, all pages count as changed,
 * in the same transaction: until then a CDN could still receive pages of that build.
 * @returns whether pages count as changed
 */
export async function recordBuild({ kysely }: Pick<Database, 'kysely'>, own: PageMaker): Promise<boolean> {
  return kysely.transaction().execute(async (tx) => {
    await sql`insert into settings (key, value) values (${buildsKey}, '{}') on conflict (key) do nothing`.execute(tx)
    const { rows } = await sql<{ value: Record<string, number[]> }>`
      select value from settings where key = ${buildsKey} for update`.execute(tx)
    const noted = rows[0]?.value ?? {}
    const living: Record<string, number[]> = { [own.build]: [own.instance] }
    for (const [build, instances] of Object.entries(noted)) {
      for (const instance of instances) {
        if (instance === own.instance || !(await isInstanceAlive(tx, instance))) continue
        living[build] = [...(living[build] ?? []), instance]
      }
    }
    const gone = Object.keys(noted).some((build) => !Object.hasOwn(living, build))
    const told = JSON.stringify(living)
    if (told !== JSON.stringify(noted))
      await sql`update settings set value = ${told}::text::jsonb, updated_at = now() where key = ${buildsKey}`.execute(
        tx,
      )
    if (gone) await countChanges(tx, ['build'])
    return gone
  })
}
