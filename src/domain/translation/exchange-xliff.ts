import {
  type ExchangeFile,
  type ExchangeUnit,
  FileFault,
  formsOf,
  isTranslated,
  type PluralForms,
  pluralForms,
  type ReadExchange,
  runReader,
} from './exchange.ts'
import { elementsOf, noXmlCharacter, readXml, type XmlElement, xmlText } from './xml.ts'

// Writes XLIFF 2.1, and reads 2.0, 2.1 and 1.2. A count is a group with one unit for each plural category.

const areas = ['interface', 'content', 'slug'] as const
const stateOf = { 0: 'initial', 1: 'translated', 2: 'reviewed', 3: 'translated' } as const
/** The shop's own prefix before the state, as the standard requires. */
const subStateOf = { 0: '', 1: ' subState="vitrine:machine"', 2: '', 3: ' subState="vitrine:similar"' } as const

export function writeXliff({ language, source, units }: ExchangeFile): string {
  let number = 0
  const forms = formsOf(language)
  const unitOf = ({ original, status, markup, context }: ExchangeUnit, said: string, indent: string, form = '') => {
    number += 1
    const notes = [
      ...(context === '' ? [] : [['context', context]]),
      ...(markup ? [['markup', 'yes']] : []),
      ...(form === '' ? [] : [['form', form]]),
    ].map(([category, note = '']) => `<note category="${category}">${xmlText(note)}</note>`)
    const target = said === '' ? '' : `<target xml:space="preserve">${inline(said)}</target>`
    return [
      `<unit id="${number}">`,
      ...(notes.length > 0 ? [`  <notes>${notes.join('')}</notes>`] : []),
      `  <segment state="${said === '' ? 'initial' : stateOf[status]}"${said === '' ? '' : subStateOf[status]}>`,
      `    <source xml:space="preserve">${inline(original)}</source>`,
      ...(target === '' ? [] : [`    ${target}`]),
      '  </segment>',
      '</unit>',
    ].map((line) => indent + line)
  }
  const linesOf = (unit: ExchangeUnit): string[] => {
    const { translated } = unit
    if (typeof translated === 'string') return unitOf(unit, translated, '    ')
    const members = forms.flatMap((form) => unitOf(unit, translated[form] ?? '', '      ', form))
    return [`    <group id="g${number}">`, ...members, '    </group>']
  }
  const files = areas.flatMap((area) => {
    const own = units.filter((unit) => (unit.area ?? 'content') === area)
    return own.length === 0 ? [] : [`  <file id="${area}">`, ...own.flatMap(linesOf), '  </file>']
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="${xmlText(source)}" trgLang="${xmlText(language)}">`,
    // An empty document is not valid XLIFF.
    ...(files.length > 0 ? files : ['  <file id="content"><group id="g0"/></file>']),
    '</xliff>',
    '',
  ].join('\n')
}

/** Characters that XML does not allow are written by code, as in XLIFF 2. */
function inline(text: string): string {
  return xmlText(text).replace(
    noXmlCharacter,
    (one) => `<cp hex="${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}"/>`,
  )
}

type Unit = ExchangeUnit & { readonly line: number }

export function readXliff(text: string): ReadExchange {
  return runReader(() => {
    const root = readXml(text)
    if (root.name !== 'xliff') throw new FileFault(root.line, `The document is <${root.name}>, not <xliff>.`)
    const version = root.attributes.get('version') ?? ''
    if (!/^(?:1\.[012]|2\.\d)$/.test(version))
      throw new FileFault(root.line, `XLIFF ${version} is not supported; use 1.2 or 2.1.`)
    const files = elementsOf(root, 'file')
    const isOld = version.startsWith('1')
    const language = isOld
      ? files.map(({ attributes }) => attributes.get('target-language')).find(Boolean)
      : root.attributes.get('trgLang')
    return {
      language: (language ?? '').replaceAll('_', '-'),
      units: files.flatMap((file) => joined(isOld ? oldUnits(file) : newUnits(file))),
    }
  })
}

type Read = Omit<Unit, 'translated'> & { readonly said: string; readonly form: keyof PluralForms | '' }

/** Joins the units of one original's plural forms. */
function joined(units: readonly Read[]): Unit[] {
  const counts = new Map<string, { unit: Unit; forms: Map<string, string> }>()
  return units
    .flatMap(({ said, form, ...unit }): Unit[] => {
      if (form === '') return [{ ...unit, translated: said }]
      const key = JSON.stringify([unit.area, unit.context, unit.markup, unit.original])
      const known = counts.get(key)
      if (known) {
        if (said !== '') known.forms.set(form, said)
        return []
      }
      const forms = new Map(said === '' ? [] : [[form, said]])
      const fresh = { ...unit, translated: {} }
      counts.set(key, { unit: fresh, forms })
      return [fresh]
    })
    .map((unit) => {
      if (typeof unit.translated === 'string') return unit
      const known = counts.get(JSON.stringify([unit.area, unit.context, unit.markup, unit.original]))
      const translated: PluralForms = Object.fromEntries(known?.forms ?? [])
      const status = isTranslated(translated) ? Math.max(unit.status, statusAmong(units, unit)) : 0
      return { ...unit, translated, status: statuses.find((one) => one === status) ?? 2 }
    })
}

const statuses = [0, 1, 2, 3] as const

/** The forms of one count share a status; an empty first form does not decide about it. */
function statusAmong(units: readonly Read[], unit: Unit): number {
  return Math.max(
    ...units
      .filter((one) => one.line >= unit.line && one.original === unit.original && one.said !== '')
      .map(({ status }) => status),
    0,
  )
}

function newUnits(file: XmlElement): Read[] {
  const area = areas.find((one) => one === file.attributes.get('id')) ?? null
  return unitsIn(file, 'unit').map((unit) => {
    const notes = new Map(
      elementsOf(unit, 'notes')
        .flatMap((all) => elementsOf(all, 'note'))
        .map((note) => [note.attributes.get('category') ?? '', textOf(note)]),
    )
    const segments = elementsOf(unit, 'segment')
    const part = (name: string) => segments.map((segment) => elementsOf(segment, name).map(textOf).join('')).join('')
    if (segments.length === 0) throw new FileFault(unit.line, 'A unit has no segment.')
    const [first] = segments
    const state = first?.attributes.get('state') ?? 'translated'
    const subState = first?.attributes.get('subState') ?? ''
    const said = part('target')
    const status =
      said === ''
        ? 0
        : subState === 'vitrine:similar'
          ? 3
          : state === 'initial' || subState === 'vitrine:machine'
            ? 1
            : 2
    return {
      area,
      context: notes.get('context') ?? '',
      markup: notes.get('markup') === 'yes',
      form: pluralForms.find((form) => form === notes.get('form')) ?? '',
      original: part('source'),
      said,
      status,
      line: unit.line,
    }
  })
}

function oldUnits(file: XmlElement): Read[] {
  const area = areas.find((one) => one === file.attributes.get('original')) ?? null
  return unitsIn(file, 'trans-unit').map((unit) => {
    const text = (name: string) => elementsOf(unit, name).map(textOf).join('')
    const [target] = elementsOf(unit, 'target')
    const state = target?.attributes.get('state') ?? ''
    const byMachine = /^(?:mt-suggestion|leveraged-mt)$/.test(target?.attributes.get('state-qualifier') ?? '')
    const isRough = unit.attributes.get('approved') !== 'yes' && (/^(?:new|needs-)/.test(state) || byMachine)
    const said = text('target')
    return {
      area,
      context: '',
      markup: false,
      form: '',
      original: text('source'),
      said,
      status: said === '' ? 0 : isRough ? 1 : 2,
      line: unit.line,
    }
  })
}

/** Returns the units of a file or of groups in it. */
function unitsIn(element: XmlElement, name: string): XmlElement[] {
  return elementsOf(element).flatMap((child) =>
    child.name === name ? [child] : /^(?:group|body)$/.test(child.name) ? unitsIn(child, name) : [],
  )
}

function textOf(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === 'string') return child
      if (child.name !== 'cp') throw new FileFault(child.line, `<${child.name}> is not supported within a text.`)
      return String.fromCharCode(Number.parseInt(child.attributes.get('hex') ?? '', 16))
    })
    .join('')
}
