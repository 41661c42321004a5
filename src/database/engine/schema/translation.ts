import type { Generated, GeneratedAlways } from 'kysely'

// Types of the tables of the translation memory; 0011_translation.sql describes their content.

export type TranslationArea = 'interface' | 'content' | 'slug'

/** A plural category (CLDR); '' for texts without plural forms. */
export type PluralForm = '' | Intl.LDMLPluralRule

export type TranslationOriginalsTable = {
  id: GeneratedAlways<number>
  area: TranslationArea
  context: Generated<string>
  key_hash: Buffer
  original: string
  markup: Generated<boolean>
  first_seen_path: Generated<string>
  last_seen_on: Generated<Date>
  created_at: Generated<Date>
}

export type TranslationsTable = {
  original_id: number
  language: string
  form: Generated<PluralForm>
  translated: Generated<string>
  status: Generated<0 | 1 | 2 | 3>
  engine: Generated<string>
  revision: Generated<number>
  updated_by: number | null
  updated_at: Generated<Date>
}

export type TranslationHistoryTable = {
  id: GeneratedAlways<number>
  original_id: number
  language: string
  form: Generated<PluralForm>
  revision: number
  translated: string
  status: 0 | 1 | 2 | 3
  engine: Generated<string>
  changed_by: number | null
  changed_at: Generated<Date>
}

export type TranslationQueueTable = {
  original_id: number
  language: string
  state: Generated<'queued' | 'translating' | 'failed'>
  attempts: Generated<number>
  not_before: Generated<Date>
  fault: Generated<string>
  queued_at: Generated<Date>
}

export type TranslationSpendingTable = {
  day: string
  engine: string
  characters: Generated<number>
  calls: Generated<number>
}

export type TranslationSeedsTable = { language: string; file: string; digest: string }
