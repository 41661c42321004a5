import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { PluralForm, TranslationArea } from '../engine/schema/translation.ts'

/** A translation that ships with the shop, by its original's id. */
export type Seed = { readonly originalId: number; readonly form: PluralForm; readonly translated: string }

/** @returns the digests of imported files, by `<language> <file>` */
export async function seedDigests(db: Kysely<Schema>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('translation_seeds').selectAll().execute()
  return new Map(rows.map(({ language, file, digest }) => [`${language} ${file}`, digest]))
}

/** Serializes the import of files. */
export async function lockSeeds(tx: Kysely<Schema>): Promise<void> {
  await sql`lock table translation_seeds in share row exclusive mode`.execute(tx)
}

/**
 * Replaces a file's earlier translations, but never human ones. Unchanged ones that the file no longer contains are
 * deleted.
 * @param area the area of the file; `only` these translations belong to it
 */
export async function writeSeeds(
  tx: Kysely<Schema>,
  { language, area, seeds, now }: { language: string; area: TranslationArea; seeds: readonly Seed[]; now: Date },
): Promise<void> {
  const ids = seeds.map(({ originalId }) => originalId)
  const forms = seeds.map(({ form }) => form)
  const texts = seeds.map(({ translated }) => translated)
  await sql`
    with given as (
      select * from unnest(${ids}::bigint[], ${forms}::text[], ${texts}::text[]) as given (original_id, form, translated)
    ), gone as (
      delete from translations t using translation_originals o
      where o.id = t.original_id and o.area = ${area} and t.language = ${language} and t.engine = 'seed'
        and not exists (select from given g where g.original_id = t.original_id and g.form = t.form)
    )
    insert into translations as t (original_id, language, form, translated, status, engine, updated_at)
    select original_id, ${language}, form, translated, 2, 'seed', ${now} from given
    on conflict (original_id, language, form) do update
      set translated = excluded.translated, status = 2, engine = 'seed', revision = t.revision + 1, updated_by = null,
        updated_at = excluded.updated_at
      where (t.engine = 'seed' or t.status in (1, 3)) and (t.translated <> excluded.translated or t.status <> 2)`.execute(
    tx,
  )
}

/** Deletes interface texts that the shop no longer uses and that have no human translation. */
export async function forgetOriginals(tx: Kysely<Schema>, kept: readonly number[]): Promise<void> {
  await sql`
    delete from translation_originals o
    where o.area = 'interface' and o.id <> all(${[...kept]}::bigint[])
      and not exists (select from translations t where t.original_id = o.id and t.status <> 0)`.execute(tx)
}

export async function keepDigest(
  tx: Kysely<Schema>,
  { language, file, digest }: { language: string; file: string; digest: string },
): Promise<void> {
  await sql`
    insert into translation_seeds (language, file, digest) values (${language}, ${file}, ${digest})
    on conflict (language, file) do update set digest = excluded.digest`.execute(tx)
}
