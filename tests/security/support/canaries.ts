import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#database/engine/connect.ts'

/** Values that stand nowhere else, by what they are. */
export type Canaries = Readonly<Record<string, string>>

/** How a value may be written where it has no business: as it is, in an address, in base64 at any place, in hexadecimal. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // Signs at the ends depend on the neighbours too.
    return text.slice(before === 0 ? 0 : 4, text.length - 4)
  })
  const forms = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    bytes.toString('hex'),
    ...shifted,
  ]
  return [...new Set(forms)].filter((form) => form.length >= 3)
}

/** The canaries that a text holds. */
export function canariesIn(text: string, canaries: Canaries): string[] {
  const lower = text.toLowerCase()
  return Object.entries(canaries)
    .filter(([, value]) => formsOf(value).some((form) => lower.includes(form.toLowerCase())))
    .map(([name]) => name)
}

/** Each canary in each table where it stands: `name in table`. Jobs that are done are no longer there: see `jobsKept`. */
export async function canariesInTables({ sql }: Database, canaries: Canaries): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select case table_schema when 'public' then '' else table_schema || '.' end || table_name as name
    from information_schema.tables where table_type = 'BASE TABLE'
      and table_schema not in ('pg_catalog', 'information_schema') order by 1`
  if (tables.length < 30) throw new Error(`only ${tables.length} tables were found`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`select lower(t::text) as row from ${sql(name)} t`
    const text = rows.map(({ row }) => row).join('\n')
    found.push(...canariesIn(text, canaries).map((canary) => `${canary} in ${name}`))
  }
  return found.toSorted()
}

/** From now on every job that is put down is kept in a table of its own, also when it is done. */
export async function keepJobs({ sql }: Database): Promise<void> {
  await sql.unsafe(`
    create table canary_jobs (payload text);
    create function keep_canary_job() returns trigger language plpgsql as
      $$ begin insert into canary_jobs values (new.payload::text || coalesce(new.key, '')); return new; end $$;
    create trigger keep_canary_job after insert on graphile_worker._private_jobs
      for each row execute function keep_canary_job()`)
}

/** Every file below a folder, as text, byte for byte. */
export async function filesBelow(folder: string): Promise<{ name: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const name = join(entry.parentPath, entry.name)
        return { name, text: await readFile(name, 'latin1') }
      }),
  )
}

/** What an answer said, with its head. Cookies apart: session tokens travel there and nowhere else. */
export type Heard = { asked: string; visitor: string; text: string; cookies: string }

/** Listens to every answer of an origin until stopped. @param visitorOf tells who asked, by the request's cookies */
export function listenTo(origin: string): { heard: Heard[]; stop(): void } {
  const heard: Heard[] = []
  const { fetch: usual } = globalThis
  globalThis.fetch = async (input, init) => {
    const response = await usual(input, init)
    const address = input instanceof Request ? input.url : String(input)
    if (address.startsWith(origin)) {
      const head = [...response.headers].filter(([name]) => name !== 'set-cookie').map((pair) => pair.join(': '))
      heard.push({
        asked: `${init?.method ?? 'GET'} ${address.slice(origin.length).split('?')[0]} (${response.status})`,
        visitor: new Headers(init?.headers).get('cookie') ?? '',
        text: `${head.join('\n')}\n\n${await response.clone().text()}`,
        cookies: response.headers.getSetCookie().join('\n'),
      })
    }
    return response
  }
  return {
    heard,
    stop() {
      globalThis.fetch = usual
    },
  }
}
