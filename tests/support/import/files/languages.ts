import type { TriedFile } from './tried-file.ts'

/** A product with a variation, as the classic shop exports it in a language: titles as they stand in such files. */
const exported = (language: string, words: string, titles: readonly string[]): TriedFile => ({
  name: `classic-${language}.csv`,
  about: `export of the classic shop in ${words}`,
  content: `\uFEFF${[
    titles,
    [
      ...['7', 'variable', 'TEE', 'Tee', '1', '0', 'visible', 'Short', 'Long', '', 'taxable', '', '1', '', '0', '0'],
      ...['0.4', '1'],
    ]
      .concat(['', '', 'Shirts > Tees', 'new', '', '', '', '', '0'])
      .concat(['Colour', 'Red, Blue', '1', '1']),
    [
      ...[
        '8',
        'variation',
        'TEE-R',
        'Tee - Red',
        '1',
        '0',
        'visible',
        '',
        '',
        '',
        'taxable',
        'parent',
        '1',
        '5',
        '0',
        '0',
      ],
      ...['', '0'],
    ]
      .concat(['15', '20.5', '', '', '', 'TEE', '', '', '0'])
      .concat(['Colour', 'Red', '', '1']),
  ]
    .map((row) => row.map((cell) => (/[",]/.test(cell) ? `"${cell}"` : cell)).join(','))
    .join('\r\n')}\r\n`,
  reading: { format: 'classic', separator: ',' },
  products: [
    {
      sku: 'TEE',
      type: 'variable',
      grams: 400,
      description: 'Long',
      categories: ['Shirts > Tees'],
      tags: ['new'],
      attributes: ['Colour*: red, blue'],
    },
    { sku: 'TEE-R', type: 'variation', parent: 'TEE', regular: 2050, sale: 1500, stock: 5, chosen: ['pa_colour: red'] },
  ],
})

/** Exports of the classic shop in eleven languages. */
export const languages: readonly TriedFile[] = [
  exported('en', 'English', [
    ...['ID', 'Type', 'SKU', 'Name', 'Published', 'Is featured?', 'Visibility in catalog', 'Short description'],
    ...['Description', 'Date sale price ends', 'Tax status', 'Tax class', 'In stock?', 'Stock', 'Backorders allowed?'],
    ...[
      'Sold individually?',
      'Weight (kg)',
      'Allow customer reviews?',
      'Sale price',
      'Regular price',
      'Categories',
      'Tags',
    ],
    ...['Images', 'Parent', 'Upsells', 'External URL', 'Position', 'Attribute 1 name', 'Attribute 1 value(s)'],
    ...['Attribute 1 visible', 'Attribute 1 global'],
  ]),
  exported('de', 'German', [
    ...['ID', 'Typ', 'Artikelnummer', 'Name', 'Veröffentlicht', 'Ist hervorgehoben?', 'Sichtbarkeit im Katalog'],
    ...['Kurzbeschreibung', 'Beschreibung', 'Datum, an dem Angebotspreis endet', 'Steuerstatus', 'Steuerklasse'].map(
      (title) => title.replace('Datum, an dem', 'Datum an dem'),
    ),
    ...['Vorrätig?', 'Lager', 'Lieferrückstände erlaubt?', 'Nur einzeln verkaufen?', 'Gewicht (kg)'],
    ...['Kundenbewertungen erlauben?', 'Angebotspreis', 'Regulärer Preis', 'Kategorien', 'Schlagwörter', 'Bilder'],
    ...['Übergeordnet', 'Zusatzverkäufe', 'Externe URL', 'Position', 'Attribut 1 Name', 'Attribut 1 Wert(e)'],
    ...['Attribut 1 Sichtbar', 'Attribut 1 Global'],
  ]),
  exported('fr', 'French', [
    ...['ID', 'Type', 'UGS', 'Nom', 'Publié', 'Mis en avant ?', 'Visibilité dans le catalogue', 'Description courte'],
    ...['Description', 'Date de fin de promo', 'État de la TVA', 'Classe de TVA', 'En stock ?', 'Stock'],
    ...['Autoriser les commandes de produits en rupture ?', 'Vendre individuellement ?', 'Poids (kg)'],
    ...[
      'Autoriser les avis clients ?',
      'Tarif promo',
      'Tarif régulier',
      'Catégories',
      'Étiquettes',
      'Images',
      'Parent',
    ],
    ...['Produits suggérés', 'URL externe', 'Position', 'Nom de l’attribut 1', 'Valeur(s) de l’attribut 1 '],
    ...['Attribut 1 visible', 'Attribut 1 global'],
  ]),
  exported('es', 'Spanish', [
    ...[
      'ID',
      'Tipo',
      'SKU',
      'Nombre',
      'Publicado',
      '¿Está destacado?',
      'Visibilidad en el catálogo',
      'Descripción corta',
    ],
    ...[
      'Descripción',
      'Día en que termina el precio rebajado',
      'Estado del impuesto',
      'Clase de impuesto',
      '¿Existencias?',
    ],
    ...['Inventario', '¿Permitir reservas de productos agotados?', '¿Vendido individualmente?', 'Peso (kg)'],
    ...[
      '¿Permitir valoraciones de clientes?',
      'Precio rebajado',
      'Precio normal',
      'Categorías',
      'Etiquetas',
      'Imágenes',
    ],
    ...['Superior', 'Ventas dirigidas', 'URL externa', 'Posición', 'Nombre del atributo 1', 'Valor(es) del atributo 1'],
    ...['Atributo visible 1', 'Atributo global 1'],
  ]),
  exported('it', 'Italian', [
    ...['ID', 'Tipo', 'SKU', 'Nome', 'Pubblicato', 'È in evidenza?', 'Visibilità nel catalogo', 'Breve descrizione'],
    ...['Descrizione', 'Data di fine del prezzo in offerta', 'Stato delle imposte', 'Aliquota di imposta', 'In stock?'],
    ...['Magazzino', 'Ordini arretrati consentiti?', 'Venduto singolarmente?', 'Peso (kg)'],
    ...['Abilita le recensioni dei clienti?', 'Prezzo in offerta', 'Prezzo di listino', 'Categorie', 'Tag', 'Immagine'],
    ...['Genitore', 'Up-sell', 'URL esterno', 'Posizione', 'Nome dell’attributo 1', 'Valore dell’attributo 1'],
    ...['Attributo 1 visibile', 'Attributo globale 1'],
  ]),
  exported('nl', 'Dutch', [
    ...[
      'ID',
      'Type',
      'SKU',
      'Naam',
      'Gepubliceerd',
      'Is uitgelicht?',
      'Zichtbaarheid in catalogus',
      'Korte beschrijving',
    ],
    ...['Beschrijving', 'Einddatum actieprijs', 'Btw-status', 'Belastingklasse', 'Op voorraad?', 'Voorraad'],
    ...['Nabestellingen toegestaan?', 'Individueel verkocht?', 'Gewicht (kg)', 'Klantbeoordelingen toestaan?'],
    ...['Actieprijs', 'Reguliere prijs', 'Categorieën', 'Tags', 'Afbeeldingen', 'Hoofd', 'Upsells', 'Externe URL'],
    ...['Positie', 'Eigenschap 1 naam', 'Eigenschap 1 waarde(n)', 'Eigenschap 1 zichtbaar', 'Eigenschap 1 globaal'],
  ]),
  exported('pt', 'Portuguese', [
    ...['ID', 'Tipo', 'REF', 'Nome', 'Publicado', 'Em destaque?', 'Visibilidade no catálogo', 'Descrição breve'],
    ...['Descrição', 'Data de fim do preço promocional', 'Estado do imposto', 'Classe de imposto', 'Em estoque?'],
    ...[
      'Estoque',
      'São permitidas encomendas?',
      'Vendido individualmente?',
      'Peso (kg)',
      'Permitir avaliações de clientes?',
    ],
    ...['Preço promocional', 'Preço', 'Categorias', 'Etiquetas', 'Imagens', 'Ascendente', 'Upsells', 'URL externa'],
    ...['Posição', 'Nome do atributo 1', 'Valor(es) do atributo 1', 'Visibilidade do atributo 1', 'Atributo global 1'],
  ]),
  exported('pl', 'Polish', [
    ...[
      'ID',
      'Rodzaj',
      'SKU',
      'Nazwa',
      'Opublikowano',
      'Czy wyróżniony?',
      'Widoczność w katalogu',
      'Krótki opis',
      'Opis',
    ],
    ...['Data zakończenia promocji', 'Status podatku', 'Klasa podatkowa', 'W magazynie?', 'Stan magazynowy'],
    ...['Dozwolone zamówienia oczekujące?', 'Sprzedawane pojedynczo?', 'Waga (kg)', 'Zezwolić na opinie klientów?'],
    ...['Cena promocyjna', 'Cena regularna', 'Kategorie', 'Tagi', 'Obrazki', 'Nadrzędny', 'Up-selling'],
    ...['Zewnętrzny adres URL', 'Pozycja', 'Nazwa atrybutu 1', 'Wartości atrybutu 1', 'Widoczność atrybutu 1'],
    'Globalny atrybut 1',
  ]),
  exported('ru', 'Russian', [
    ...['ID', 'Тип', 'Артикул', 'Имя', 'Опубликован', 'Рекомендуемый?', 'Видимость в каталоге', 'Краткое описание'],
    ...['Описание', 'Дата окончания действия скидки', 'Статус налога', 'Налоговый класс', 'Наличие', 'Запасы'],
    ...[
      'Возможен ли предзаказ?',
      'Продано индивидуально?',
      'Вес (кг)',
      'Разрешить отзывы от клиентов?',
      'Акционная цена',
    ],
    ...['Базовая цена', 'Категории', 'Метки', 'Изображения', 'Родительский', 'Апсэл', 'Внешний URL', 'Позиция'],
    ...['Название атрибута 1', 'Значения атрибутов 1', 'Видимость атрибута 1', 'Глобальный атрибут 1'],
  ]),
  exported('ja', 'Japanese', [
    ...['ID', '種類', '商品コード', '名前', '公開済み', 'おすすめ商品?', 'カタログでの表示', '簡単な説明', '説明'],
    ...['セール価格終了日', '税ステータス', '税区分', '在庫あり?', '在庫', 'お取り寄せ許可?', '個別販売?', '重量 (kg)'],
    ...['顧客レビューを許可しますか?', 'セール価格', '通常価格', 'カテゴリー', 'タグ', '画像', '親', 'アップセル'],
    ...['外部 URL', '位置', '属性 1 の名前', '属性 1 の値', '属性 1 の表示', 'グローバル属性 1'],
  ]),
  exported('ar', 'Arabic', [
    ...['المعرّف', 'النوع', 'رمز المنتج', 'الاسم', 'منشور', 'هل هو مميز؟', 'الظهور في الكتالوج', 'وصف قصير', 'الوصف'],
    ...['تاريخ انتهاء سعر التخفيض', 'حالة الضريبة', 'فئة الضريبة', 'متوفر في المخزون؟', 'المخزون'],
    ...['السماح بالطلب المسبق؟', 'يباع بشكل فردي؟', 'الوزن (كجم)', 'السماح بمراجعات العملاء؟', 'سعر التخفيض'],
    ...['السعر العادي', 'التصنيفات', 'الوسوم', 'الصور', 'الأصل', 'زيادة المبيعات', 'رابط خارجي', 'الموضع'],
    ...['اسم السمة 1', 'قيمة السمة 1', 'ظهور السمة 1', 'السمة العامة 1'],
  ]),
  {
    name: 'classic-de-words.csv',
    about: 'German export edited in a spreadsheet: semicolons, decimal commas, German words',
    content:
      'Artikelnummer;Typ;Name;Veröffentlicht;Vorrätig?;Lagerbestand;Regulärer Preis;Angebotspreis;Kategorien\n' +
      'BECHER;simple;Becher;ja;ja;12;1.019,90;999,00;Tisch > Becher\nKRUG;simple;Krug;nein;nicht vorrätig;;24,50;;Tisch\n',
    reading: { format: 'classic', separator: ';', decimal: 'comma' },
    products: [
      { sku: 'BECHER', status: 'publish', stock: 12, regular: 101990, sale: 99900 },
      { sku: 'KRUG', status: 'private', stockStatus: 'outofstock', regular: 2450 },
    ],
  },
  {
    name: 'sheet-es-stock.csv',
    about: 'a Spanish list whose column of the stock status has numbers of pieces',
    content: 'Nombre;Referencia;PVP;Existencias\nCuenco;C1;24,50;7\n',
    products: [{ sku: 'C1', regular: 2450, stock: 7 }],
  },
  {
    name: 'classic-fr-words.csv',
    about: 'French list with `VRAI` and `FAUX`, thousands with spaces',
    content: 'UGS;Nom;Publié;En stock ?;Tarif régulier\nBOL;Bol;VRAI;rupture de stock;1\u202F250,00 €\n',
    reading: { decimal: 'comma' },
    products: [{ sku: 'BOL', status: 'publish', stockStatus: 'outofstock', regular: 125000 }],
  },
]
