import { dayRates, isDay, type RatesRead } from './rates.ts'

/**
 * Parses rates from a comma-separated table of the European Central Bank. Its data service (SDMX) has a row per
 * currency and day with the columns CURRENCY, TIME_PERIOD and OBS_VALUE among others. Its files have a column per
 * currency and a row per day, written 2026-01-05 or, in the file of one day, 5 January 2026. The newest day counts, in
 * any order of rows; currencies that it lacks get no rate. The base is the euro, unless a column CURRENCY_DENOM
 * differs.
 */
export function readCsvRates(text: string): RatesRead {
  const rows = readRows(text)
  if (rows === null) return { ok: false, fault: 'its quotation marks do not match' }
  const [head = [], ...body] = rows
  const columns = head.map((name) => name.trim())
  if (columns[0] === 'Date') return readWide(columns, body)
  const at = {
    code: columns.indexOf('CURRENCY'),
    day: columns.indexOf('TIME_PERIOD'),
    figure: columns.indexOf('OBS_VALUE'),
    base: columns.indexOf('CURRENCY_DENOM'),
  }
  const missing = Object.entries({ CURRENCY: at.code, TIME_PERIOD: at.day, OBS_VALUE: at.figure })
    .filter(([, column]) => column === -1)
    .map(([name]) => name)
  if (missing.length > 0) return { ok: false, fault: `there is no column ${missing.join(', ')}` }
  const cell = (row: readonly string[], column: number) => row[column]?.trim() ?? ''
  const day = newestDay(body.map((row) => cell(row, at.day)))
  if (day === null) return { ok: false, fault: 'no row has a day like 2026-01-05' }
  const ofDay = body.filter((row) => cell(row, at.day) === day)
  const bases = [...new Set(ofDay.map((row) => (at.base === -1 ? 'EUR' : cell(row, at.base))))]
  if (bases.length > 1) return { ok: false, fault: `its rates are for one of ${bases.slice(0, 5).join(' and of ')}` }
  return dayRates(
    bases[0] ?? 'EUR',
    day,
    ofDay.map((row) => [cell(row, at.code), cell(row, at.figure)] as const),
  )
}

function readWide(columns: readonly string[], rows: readonly (readonly string[])[]): RatesRead {
  const day = newestDay(rows.map(([first = '']) => dayOf(first)))
  const row = rows.find(([first = '']) => dayOf(first) === day)
  if (day === null || !row) return { ok: false, fault: 'no row has a day like 2026-01-05' }
  // Lines of these files end with a comma.
  const figures = columns.flatMap((code, column) =>
    column === 0 || code === '' ? [] : [[code, row[column]?.trim() ?? ''] as const],
  )
  return dayRates('EUR', day, figures)
}

const months = 'January February March April May June July August September October November December'.split(' ')

/** Parses the date format of the daily file: `25 November 2026`. */
function dayOf(cell: string): string {
  const [, day, month = '', year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(cell.trim()) ?? []
  if (day === undefined) return cell.trim()
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

function newestDay(days: readonly string[]): string | null {
  return days
    .filter(isDay)
    .reduce<string | null>((newest, day) => (newest === null || day > newest ? day : newest), null)
}

/** @returns the cells of each line that is not empty; null where its quotation marks do not match */
function readRows(text: string): string[][] | null {
  const rows: string[][] = []
  let row: string[] = []
  // Matches from one delimiter to the next: a quoted cell may contain delimiters, and a doubled quote is one.
  const next = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|[\r\n]+|$)/y
  while (next.lastIndex < text.length) {
    const found = next.exec(text)
    if (!found) return null
    const [, quoted, plain = '', border = ''] = found
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (border === ',') continue
    if (row.some((value) => value !== '')) rows.push(row)
    row = []
  }
  if (row.some((value) => value !== '')) rows.push(row)
  return rows
}
