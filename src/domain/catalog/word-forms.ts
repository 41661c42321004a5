import { foldText } from './search-words.ts'

/** Endings of singular and plural: `['y', 'ies']` makes berry and berries forms of one word. */
type Ending = readonly [singular: string, plural: string]

type FormRules = {
  readonly endings: readonly Ending[]
  /** Irregular words: all forms of a word, then those of the next. */
  readonly irregular?: string
  /** Words that only look like forms of each other, each group separately. */
  readonly unrelated?: string
  /** An article written as part of its word, with possible prefixes. */
  readonly article?: { readonly prefixes: readonly string[]; readonly bare: string }
  /** Spellings of accented letters without the accent: `ue` for ü, which is folded to `u`. */
  readonly spelledOut?: readonly (readonly [string, string])[]
}

/** Minimum number of letters before an ending: `gas` is no plural of `ga`. */
const shortestStem = 3

/**
 * Singular and plural rules by language. A rule may create invalid words: only those in the catalog count. Letters are
 * those of `foldText`, without accents. Japanese nouns have no plural.
 */
const rulesOf: Readonly<Record<string, FormRules>> = {
  en: {
    endings: [
      ['', 's'],
      ['s', 'ses'],
      ['x', 'xes'],
      ['z', 'zes'],
      ['ch', 'ches'],
      ['sh', 'shes'],
      ['o', 'oes'],
      ['y', 'ies'],
      ['f', 'ves'],
      ['fe', 'ves'],
      ['us', 'i'],
      ['man', 'men'],
    ],
    irregular: `child children; foot feet; tooth teeth; goose geese; mouse mice; person people; ox oxen;
      man men; woman women womens; die dice; candelabrum candelabra`,
    unrelated: `new news; good goods; len lens; bras brass; glas glass; thi this; canva canvas; doe does; god gods`,
  },
  de: {
    endings: [
      ['', 'e'],
      ['', 'n'],
      ['', 'en'],
      ['', 'er'],
      ['', 'ern'],
      ['', 's'],
      ['', 'es'],
      ['nis', 'nisse'],
      ['in', 'innen'],
      ['um', 'en'],
      ['a', 'en'],
    ],
    unrelated: `schal schale schalen; leine leinen; messe messer; tee teer; tell teller; bad bade; wand wander; led leder`,
    spelledOut: [
      ['ae', 'a'],
      ['oe', 'o'],
      ['ue', 'u'],
    ],
  },
  es: {
    endings: [
      ['', 's'],
      ['', 'es'],
      ['z', 'ces'],
    ],
  },
  fr: {
    endings: [
      ['', 's'],
      ['', 'x'],
      ['al', 'aux'],
      ['ail', 'aux'],
    ],
    irregular: 'œil yeux; ciel cieux',
  },
  ar: {
    endings: [
      ['ه', 'ات'],
      ['', 'ات'],
      ['', 'ون'],
      ['', 'ين'],
      ['', 'ان'],
      ['ه', 'تان'],
      ['ه', 'تين'],
    ],
    // Broken plurals of home furnishings.
    irregular: `كوب أكواب; طبق أطباق; صحن صحون; وعاء أوعية; مصباح مصابيح; وسادة وسائد; شمعة شموع; كأس كؤوس; إبريق أباريق; دورق دوارق;
      سلة سلال; لوح ألواح; كتاب كتب; دفتر دفاتر; ملعقة ملاعق; سكين سكاكين; شوكة شوك; قدر قدور; غطاء أغطية; ستارة ستائر; سجادة سجاد;
      كرسي كراسي; سرير أسرة; أصيص أصص; زهرة زهور أزهار; هدية هدايا; صندوق صناديق; رف رفوف; مرآة مرايا; منشفة مناشف; فوطة فوط;
      قميص قمصان; حقيبة حقائب; مفرش مفارش; قنديل قناديل; فانوس فوانيس; قنينة قناني; فنجان فناجين; مزهرية مزهريات`,
    article: { prefixes: ['وال', 'بال', 'كال', 'فال', 'لل', 'ال'], bare: 'ال' },
  },
}

type Rules = Omit<FormRules, 'irregular' | 'unrelated'> & {
  readonly irregular: ReadonlyMap<string, readonly string[]>
  readonly unrelated: ReadonlyMap<string, readonly string[]>
}

/** Each word with all of its group. */
function byWord(groups = ''): Map<string, readonly string[]> {
  const words = groups.split(';').map((group) => group.trim().split(/\s+/).map(foldText))
  return new Map(words.flatMap((group) => group.map((word): [string, readonly string[]] => [word, group])))
}

const known = new Map(
  Object.entries(rulesOf).map(([language, rules]): [string, Rules] => [
    language,
    { ...rules, irregular: byWord(rules.irregular), unrelated: byWord(rules.unrelated) },
  ]),
)

/** @param tag a language tag (BCP 47): its first part decides */
export function baseLanguage(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? ''
}

/**
 * Returns possible singulars of a word, by the rules of some languages, without the word itself; the longest first.
 * @param word in the form of `searchWords`
 */
export function singularsOf(word: string, languages: readonly string[]): string[] {
  return [...formsBy(languages, (rules) => singulars(word, rules), word)].sort((a, b) => b.length - a.length)
}

/**
 * Returns other forms of a word, singular and plural, by the rules of some languages. Many of them are invalid: the
 * caller checks which exist.
 * @param word in the form of `searchWords`
 */
export function wordForms(word: string, languages: readonly string[]): Set<string> {
  return formsBy(languages, (rules) => allForms(word, rules), word)
}

function formsBy(languages: readonly string[], formsOf: (rules: Rules) => Iterable<string>, word: string): Set<string> {
  const forms = new Set<string>()
  for (const language of new Set(languages.map(baseLanguage))) {
    const rules = known.get(language)
    if (!rules) continue
    const apart = rules.unrelated.get(word)
    for (const form of formsOf(rules)) if (!apart?.includes(form)) forms.add(form)
  }
  forms.delete(word)
  return forms
}

function allForms(given: string, rules: Rules): Set<string> {
  const words = new Set<string>()
  for (const word of spellings(given, rules)) {
    const irregular = rules.irregular.get(word)
    // No rule is applied to an irregular plural.
    for (const singular of irregular ?? [word, ...singulars(word, rules)]) {
      for (const form of rules.irregular.get(singular) ?? [singular]) words.add(form)
    }
    for (const singular of [...words]) for (const plural of plurals(singular, rules)) words.add(plural)
  }
  const { article } = rules
  if (!article) return words
  return new Set([...words].flatMap((word) => (word.length < shortestStem ? word : [word, article.bare + word])))
}

/**
 * Returns the word as written, and its possible variants: without an article before it, with accents that a keyboard
 * lacks.
 */
function spellings(given: string, { article, spelledOut }: Rules): string[] {
  const prefix = article?.prefixes.find(
    (start) => given.startsWith(start) && given.length >= start.length + shortestStem,
  )
  const words = [given, ...(prefix ? [given.slice(prefix.length)] : [])]
  for (const [letters, meant] of spelledOut ?? []) {
    for (const word of [...words]) if (word.includes(letters)) words.push(word.replaceAll(letters, meant))
  }
  return words
}

function singulars(word: string, { endings }: Rules): string[] {
  return endings.flatMap(([singular, plural]) => {
    const stem = word.slice(0, word.length - plural.length)
    return word.endsWith(plural) && stem.length + singular.length >= shortestStem ? [stem + singular] : []
  })
}

function plurals(word: string, { endings }: Rules): string[] {
  if (word.length < shortestStem) return []
  return endings.flatMap(([singular, plural]) =>
    word.endsWith(singular) ? [word.slice(0, word.length - singular.length) + plural] : [],
  )
}
