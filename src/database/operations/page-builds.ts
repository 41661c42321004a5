import { sql } from 'kysely'
import { countChanges } from '../engine/change-counts.ts'
import type { Database } from '../engine/connect.ts'
import { isInstanceAlive } from '../payments/payments.ts'

/** Which processes have answered with pages of which build, as an object of lists: gone ones until somebody looks. */
const buildsKey = 'pageBuilds'

/** A process that makes pages, and what it was built from. */
export type PageMaker = { readonly build: string; readonly instance: number }

/**
 * Notes that this process makes pages. Once the last process of another build is gone, however it ended, its pages are counted as
 * changed, in the same transaction: as long as one of them was there, a cache in front could come to have its pages again.
 * @returns whether that is so
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
