import type { RatesRead } from './rates.ts'
import { readCsvRates } from './rates-csv.ts'
import { readJsonRates } from './rates-json.ts'
import { readXmlRates } from './rates-xml.ts'

/** Reads rates in any of the formats that are known, told by the first sign: XML, JSON, or else a table of commas. */
export function readRates(text: string): RatesRead {
  const sound = text.replace(/^\uFEFF/, '')
  if (sound.trim() === '') return { ok: false, fault: 'it is empty' }
  const [first] = sound.trimStart()
  if (first === '<') return readXmlRates(sound)
  if (first === '{' || first === '[') return readJsonRates(sound)
  return readCsvRates(sound)
}
