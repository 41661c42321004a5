// biome-ignore-all format: one country a line

/**
 * Language → country → `code=name` of its states, where the local names differ from the English lists. A complete entry
 * also sets the order: Japan counts from the north, Algeria by the number on a car.
 */
export const stateNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ar: {
    DZ: 'DZ-01=أدرار|DZ-02=الشلف|DZ-03=الأغواط|DZ-04=أم البواقي|DZ-05=باتنة|DZ-06=بجاية|DZ-07=بسكرة|DZ-08=بشار|DZ-09=البليدة|DZ-10=البويرة|DZ-11=تمنراست|DZ-12=تبسة|DZ-13=تلمسان|DZ-14=تيارت|DZ-15=تيزي وزو|DZ-16=الجزائر|DZ-17=الجلفة|DZ-18=جيجل|DZ-19=سطيف|DZ-20=سعيدة|DZ-21=سكيكدة|DZ-22=سيدي بلعباس|DZ-23=عنابة|DZ-24=قالمة|DZ-25=قسنطينة|DZ-26=المدية|DZ-27=مستغانم|DZ-28=المسيلة|DZ-29=معسكر|DZ-30=ورقلة|DZ-31=وهران|DZ-32=البيض|DZ-33=إليزي|DZ-34=برج بوعريريج|DZ-35=بومرداس|DZ-36=الطارف|DZ-37=تندوف|DZ-38=تيسمسيلت|DZ-39=الوادي|DZ-40=خنشلة|DZ-41=سوق أهراس|DZ-42=تيبازة|DZ-43=ميلة|DZ-44=عين الدفلى|DZ-45=النعامة|DZ-46=عين تموشنت|DZ-47=غرداية|DZ-48=غليزان|DZ-49=تيميمون|DZ-50=برج باجي مختار|DZ-51=أولاد جلال|DZ-52=بني عباس|DZ-53=عين صالح|DZ-54=عين قزام|DZ-55=تقرت|DZ-56=جانت|DZ-57=المغير|DZ-58=المنيعة',
    EG: 'EGASN=أسوان|EGAST=أسيوط|EGALX=الإسكندرية|EGIS=الإسماعيلية|EGLX=الأقصر|EGBA=البحر الأحمر|EGBH=البحيرة|EGGZ=الجيزة|EGDK=الدقهلية|EGSUZ=السويس|EGSHR=الشرقية|EGGH=الغربية|EGFYM=الفيوم|EGC=القاهرة|EGKB=القليوبية|EGMNF=المنوفية|EGMN=المنيا|EGWAD=الوادي الجديد|EGBNS=بني سويف|EGPTS=بورسعيد|EGJS=جنوب سيناء|EGDT=دمياط|EGSHG=سوهاج|EGSIN=شمال سيناء|EGKN=قنا|EGKFS=كفر الشيخ|EGMT=مطروح',
  },
  de: {
    CH: 'AG=Aargau|AR=Appenzell Ausserrhoden|AI=Appenzell Innerrhoden|BL=Basel-Landschaft|BS=Basel-Stadt|BE=Bern|FR=Freiburg|GE=Genf|GL=Glarus|GR=Graubünden|JU=Jura|LU=Luzern|NE=Neuenburg|NW=Nidwalden|OW=Obwalden|SH=Schaffhausen|SZ=Schwyz|SO=Solothurn|SG=St. Gallen|TI=Tessin|TG=Thurgau|UR=Uri|VD=Waadt|VS=Wallis|ZG=Zug|ZH=Zürich',
    DE: 'DE-BW=Baden-Württemberg|DE-BY=Bayern|DE-BE=Berlin|DE-BB=Brandenburg|DE-HB=Bremen|DE-HH=Hamburg|DE-HE=Hessen|DE-MV=Mecklenburg-Vorpommern|DE-NI=Niedersachsen|DE-NW=Nordrhein-Westfalen|DE-RP=Rheinland-Pfalz|DE-SL=Saarland|DE-SN=Sachsen|DE-ST=Sachsen-Anhalt|DE-SH=Schleswig-Holstein|DE-TH=Thüringen',
  },
  es: {
    AR: 'B=Provincia de Buenos Aires|C=Ciudad Autónoma de Buenos Aires',
    CL: 'CL-RM=Región Metropolitana de Santiago',
    CO: 'CO-SAP=San Andrés y Providencia',
    ES: 'PM=Baleares|SE=Sevilla',
    HN: 'HN-IB=Islas de la Bahía',
    MX: 'DF=Ciudad de México|MX=Estado de México',
    PA: 'PA-10=Panamá Oeste',
    PE: 'LIM=Departamento de Lima|LMA=Lima Metropolitana',
    VE: 'VE-A=Distrito Capital|VE-W=Dependencias Federales',
  },
  fr: {
    CA: 'AB=Alberta|BC=Colombie-Britannique|PE=Île-du-Prince-Édouard|MB=Manitoba|NB=Nouveau-Brunswick|NS=Nouvelle-Écosse|NU=Nunavut|ON=Ontario|QC=Québec|SK=Saskatchewan|NL=Terre-Neuve-et-Labrador|NT=Territoires du Nord-Ouest|YT=Yukon',
    CH: 'AR=Appenzell Rhodes-Extérieures|AI=Appenzell Rhodes-Intérieures|AG=Argovie|BL=Bâle-Campagne|BS=Bâle-Ville|BE=Berne|FR=Fribourg|GE=Genève|GL=Glaris|GR=Grisons|JU=Jura|LU=Lucerne|NE=Neuchâtel|NW=Nidwald|OW=Obwald|SG=Saint-Gall|SH=Schaffhouse|SZ=Schwytz|SO=Soleure|TI=Tessin|TG=Thurgovie|UR=Uri|VS=Valais|VD=Vaud|ZG=Zoug|ZH=Zurich',
  },
  ja: {
    JP: 'JP01=北海道|JP02=青森県|JP03=岩手県|JP04=宮城県|JP05=秋田県|JP06=山形県|JP07=福島県|JP08=茨城県|JP09=栃木県|JP10=群馬県|JP11=埼玉県|JP12=千葉県|JP13=東京都|JP14=神奈川県|JP15=新潟県|JP16=富山県|JP17=石川県|JP18=福井県|JP19=山梨県|JP20=長野県|JP21=岐阜県|JP22=静岡県|JP23=愛知県|JP24=三重県|JP25=滋賀県|JP26=京都府|JP27=大阪府|JP28=兵庫県|JP29=奈良県|JP30=和歌山県|JP31=鳥取県|JP32=島根県|JP33=岡山県|JP34=広島県|JP35=山口県|JP36=徳島県|JP37=香川県|JP38=愛媛県|JP39=高知県|JP40=福岡県|JP41=佐賀県|JP42=長崎県|JP43=熊本県|JP44=大分県|JP45=宮崎県|JP46=鹿児島県|JP47=沖縄県',
  },
}
