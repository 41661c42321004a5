import { withoutGuard } from '../product-csv-cells.ts'
import { titleKey } from './title-key.ts'

/** Words of cells by the value of the classic product file that they mean; `values` are those values. */
export type WordTable = { readonly values: ReadonlySet<string>; readonly words: ReadonlyMap<string, string> }

/** @param values the words of each value, separated by `|` and written as people do */
function wordTable(values: Readonly<Record<string, string>>, ...before: readonly WordTable[]): WordTable {
  const own = Object.entries(values)
    .flatMap(([value, words]) => words.split('|').map((word) => [titleKey(word), value] as const))
    .filter(([word]) => word !== '')
  return {
    values: new Set([...before.flatMap((table) => [...table.values]), ...Object.keys(values)]),
    words: new Map([...before.flatMap((table) => [...table.words]), ...own]),
  }
}

const yes =
  '1|true|yes|y|t|on|x|ja|j|wahr|vrai|oui|si|sí|sì|s|verdadero|verdad|vero|waar|sim|verdadeiro|tak|prawda|да|истина|はい|有|真|نعم|صحيح'
const no = '0|false|no|n|f|off|nein|falsch|faux|non|falso|nee|onwaar|não|nie|fałsz|нет|ложь|いいえ|無|偽|لا|خطأ'

export const booleanWords = wordTable({ '1': yes, '0': no })

const inStock =
  'instock|in stock|available|auf lager|vorrätig|lieferbar|verfügbar|en stock|disponible|disponibile|in magazzino|op voorraad|beschikbaar|em stock|em estoque|disponível|disponivel|w magazynie|na stanie|dostępny|dostępne|в наличии|есть|有库存|在庫あり|あり|متوفر|متاح'
const outOfStock =
  'outofstock|out of stock|sold out|unavailable|not in stock|nicht vorrätig|nicht auf lager|ausverkauft|vergriffen|rupture|en rupture|rupture de stock|épuisé|agotado|sin existencias|esaurito|non disponibile|uitverkocht|niet op voorraad|esgotado|fora de stock|fora de estoque|brak|brak w magazynie|niedostępny|нет в наличии|распродано|在庫なし|在庫切れ|なし|売り切れ|غير متوفر|نفد|نفذ'
const backorder =
  'backorder|onbackorder|on backorder|backorders|preorder|pre-order|lieferrückstand|nachbestellt|bestellbar|sur commande|réapprovisionnement|en réapprovisionnement|reserva|bajo pedido|se puede reservar|su ordinazione|in arretrato|nabestelling|in nabestelling|por encomenda|sob encomenda|na zamówienie|предзаказ|под заказ|取り寄せ|お取り寄せ|予約|طلب مسبق|حسب الطلب'

export const stockWords = wordTable({ '1': inStock, '0': outOfStock, backorder })
/** The column that states whether a product is in stock takes yes and no as well. */
export const inStockWords = wordTable({}, booleanWords, stockWords)

export const publishedWords = wordTable(
  {
    '1': 'publish|published|active|live|visible|veröffentlicht|publié|publicado|pubblicato|gepubliceerd|opublikowano|опубликован|公開|منشور',
    '0': 'private|hidden|archived|inactive|unlisted|privat|privé|privado|privato|prywatny|личное|非公開|خاص',
    '-1': 'draft|entwurf|brouillon|borrador|bozza|concept|rascunho|szkic|черновик|下書き|مسودة',
    '2': 'pending|pending review',
  },
  booleanWords,
)

export const backorderWords = wordTable(
  {
    '1': 'allow|allowed|continue',
    '0': 'deny|do not allow|not allowed',
    notify:
      'notify|allow but notify customer|allow, but notify customer|allow but notify|benachrichtigen|avertir|notificar|avvisa|powiadom|уведомить',
  },
  booleanWords,
)

export const taxStatusWords = wordTable({
  taxable:
    'taxable|1|true|yes|steuerpflichtig|taxé|taxable|imponible|imponibile|tassabile|belastbaar|tributável|do opodatkowania|облагается налогом|課税|خاضع للضريبة',
  shipping:
    'shipping|shipping only|nur versand|livraison uniquement|solo envío|solo spedizione|alleen verzending|wysyłka',
  none: 'none|0|false|no|keine|kein|aucun|ninguno|nessuno|geen|nenhum|brak|нет|なし|لا شيء',
})

export const visibilityWords = wordTable({
  visible: 'visible|shop and search|1|true|yes|sichtbar|visible|visibile|zichtbaar|visível|widoczny',
  catalog: 'catalog|catalogue|shop only|nur shop',
  search: 'search|search only|search results only|nur suche',
  hidden: 'hidden|0|false|no|versteckt|caché|oculto|nascosto|verborgen|ukryty',
})

export const typeWords = wordTable({
  simple:
    'simple|simple product|single|physical|standard|einfach|einfaches produkt|produit simple|producto simple|semplice|prodotto semplice|eenvoudig|eenvoudig product|simples|produto simples|prosty|prosty produkt|простой|простой товар|シンプル|بسيط',
  variable:
    'variable|variable product|configurable|variabel|variables produkt|produit variable|producto variable|variabile|variabel product|produto variável|variável|produkt z wariantami|вариативный|вариативный товар|可変|متغير',
  variation: 'variation|variant|child|variante|variación|variatie|variação|wariant|вариация|バリエーション|تنويع',
  grouped: 'grouped|grouped product|gruppiert|groupé|agrupado|raggruppato|gegroepeerd|zgrupowany',
  external: 'external|affiliate|external/affiliate|extern|externe|externo|esterno|zewnętrzny',
  virtual: 'virtual|virtuell|virtuel|virtuale|virtueel|wirtualny|виртуальный|digital|service',
  downloadable:
    'downloadable|download|herunterladbar|téléchargeable|descargable|scaricabile|downloadbaar|baixável|do pobrania|скачиваемый',
})

/**
 * Returns the value of the classic file that a word means, or the cell itself if it is such a value or no known word.
 */
export function wordValue({ values, words }: WordTable, cell: string): string {
  // An export guards the -1 of a draft, as a spreadsheet would calculate it.
  const lower = withoutGuard(cell).toLowerCase()
  if (values.has(lower)) return lower
  // A sign is no punctuation: -1 is not 1.
  return /^[+-]\d/.test(lower) ? cell : (words.get(titleKey(cell)) ?? cell)
}
