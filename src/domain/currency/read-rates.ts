import type { RatesRead } from './rates.ts'
import { readCsvRates } from './rates-csv.ts'
import { readJsonRates } from './rates-json.ts'
import { readXmlRates } from './rates-xml.ts'

/**
 * Parses rates in any supported format, detected by the first character: XML, JSON, or else a comma-separated table.
 */
export function readRates(text: string): RatesRead {
  const sound = text.replace(/^\uFEFF/, '')
  if (sound.trim() === '') return { ok: false, fault: 'it is empty' }
  const [first] = sound.trimStart()
  if (first === '<') return readXmlRates(sound)
  if (first === '{' || first === '[') return readJsonRates(sound)
  return readCsvRates(sound)
}
