/**
 * Names in English where the standard's is in another language or in scholars' romanisation: by the shop's code.
 * Latin spellings keep their accents.
 */
const english: Readonly<Record<string, string>> = {
  AL: 'AL-11=Tirana',
  AR: 'B=Buenos Aires Province|C=Buenos Aires City',
  BG: 'BG-22=Sofia City|BG-23=Sofia Province',
  BO: 'BO-B=Beni',
  BR: 'DF=Federal District',
  CH: 'GE=Geneva|LU=Lucerne|SG=St. Gallen',
  CL: 'CL-AI=Aysén|CL-LI=O’Higgins|CL-RM=Santiago Metropolitan',
  CN: 'CN1=Yunnan|CN2=Beijing|CN3=Tianjin|CN4=Hebei|CN5=Shanxi|CN6=Inner Mongolia|CN7=Liaoning|CN8=Jilin|CN9=Heilongjiang|CN10=Shanghai|CN11=Jiangsu|CN12=Zhejiang|CN13=Anhui|CN14=Fujian|CN15=Jiangxi|CN16=Shandong|CN17=Henan|CN18=Hubei|CN19=Hunan|CN20=Guangdong|CN21=Guangxi|CN22=Hainan|CN23=Chongqing|CN24=Sichuan|CN25=Guizhou|CN26=Shaanxi|CN27=Gansu|CN28=Qinghai|CN29=Ningxia|CN30=Macao|CN31=Tibet|CN32=Xinjiang',
  CO: 'CO-DC=Bogotá|CO-SAP=San Andrés and Providencia',
  DE: 'DE-BY=Bavaria|DE-HE=Hesse|DE-NI=Lower Saxony|DE-NW=North Rhine-Westphalia|DE-RP=Rhineland-Palatinate|DE-SN=Saxony|DE-ST=Saxony-Anhalt|DE-TH=Thuringia',
  DO: 'DO-01=Distrito Nacional',
  DZ: 'DZ-16=Algiers',
  EG: 'EGALX=Alexandria|EGASN=Aswan|EGAST=Asyut|EGBA=Red Sea|EGBH=Beheira|EGBNS=Beni Suef|EGC=Cairo|EGDK=Dakahlia|EGDT=Damietta|EGFYM=Faiyum|EGGH=Gharbia|EGGZ=Giza|EGIS=Ismailia|EGJS=South Sinai|EGKB=Qalyubia|EGKFS=Kafr El Sheikh|EGKN=Qena|EGLX=Luxor|EGMN=Minya|EGMNF=Monufia|EGMT=Matrouh|EGPTS=Port Said|EGSHG=Sohag|EGSHR=Sharqia|EGSIN=North Sinai|EGSUZ=Suez|EGWAD=New Valley',
  ES: 'PM=Balearic Islands|SE=Seville',
  GR: 'A=East Macedonia and Thrace|B=Central Macedonia|C=West Macedonia|D=Epirus|E=Thessaly|F=Ionian Islands|G=West Greece|H=Central Greece|I=Attica|J=Peloponnese|K=North Aegean|L=South Aegean|M=Crete',
  HK: 'HONG KONG=Hong Kong Island|KOWLOON=Kowloon|NEW TERRITORIES=New Territories',
  HN: 'HN-IB=Bay Islands',
  HR: 'HR-01=Zagreb County|HR-02=Krapina-Zagorje|HR-03=Sisak-Moslavina|HR-04=Karlovac|HR-05=Varaždin|HR-06=Koprivnica-Križevci|HR-07=Bjelovar-Bilogora|HR-08=Primorje-Gorski Kotar|HR-09=Lika-Senj|HR-10=Virovitica-Podravina|HR-11=Požega-Slavonia|HR-12=Brod-Posavina|HR-13=Zadar|HR-14=Osijek-Baranja|HR-15=Šibenik-Knin|HR-16=Vukovar-Syrmia|HR-17=Split-Dalmatia|HR-18=Istria|HR-19=Dubrovnik-Neretva|HR-20=Međimurje|HR-21=Zagreb City',
  ID: 'BB=Bangka Belitung Islands|JB=West Java|JI=East Java|JK=Jakarta|JT=Central Java|KB=West Kalimantan|KI=East Kalimantan|KR=Riau Islands|KS=South Kalimantan|KT=Central Kalimantan|KU=North Kalimantan|MU=North Maluku|NB=West Nusa Tenggara|NT=East Nusa Tenggara|PB=West Papua|SA=North Sulawesi|SB=West Sumatra|SG=Southeast Sulawesi|SN=South Sulawesi|SR=West Sulawesi|SS=South Sumatra|ST=Central Sulawesi|SU=North Sumatra',
  IN: 'AR=Arunachal Pradesh|BR=Bihar|CT=Chhattisgarh|DD=Daman and Diu|DH=Dadra and Nagar Haveli and Daman and Diu|DN=Dadra and Nagar Haveli|GJ=Gujarat|HP=Himachal Pradesh|HR=Haryana|JH=Jharkhand|JK=Jammu and Kashmir|LA=Ladakh|MH=Maharashtra|ML=Meghalaya|NL=Nagaland|PY=Puducherry|RJ=Rajasthan|TN=Tamil Nadu|TS=Telangana|UK=Uttarakhand',
  IR: 'KHZ=Khuzestan|THR=Tehran|ILM=Ilam|BHR=Bushehr|ADL=Ardabil|ESF=Isfahan|YZD=Yazd|KRH=Kermanshah|KRN=Kerman|HDN=Hamadan|GZN=Qazvin|ZJN=Zanjan|LRS=Lorestan|ABZ=Alborz|EAZ=East Azerbaijan|WAZ=West Azerbaijan|CHB=Chaharmahal and Bakhtiari|SKH=South Khorasan|RKH=Razavi Khorasan|NKH=North Khorasan|SMN=Semnan|FRS=Fars|QHM=Qom|KRD=Kurdistan|KBD=Kohgiluyeh and Boyer-Ahmad|GLS=Golestan|GIL=Gilan|MZN=Mazandaran|MKZ=Markazi|HRZ=Hormozgan|SBN=Sistan and Baluchestan',
  IT: 'AO=Aosta|BZ=South Tyrol|FI=Florence|GE=Genoa|MB=Monza and Brianza|MI=Milan|MN=Mantua|NA=Naples|PD=Padua|PU=Pesaro and Urbino|RM=Rome|SR=Syracuse|SU=South Sardinia|TN=Trentino|TO=Turin|VE=Venice',
  JP: 'JP01=Hokkaido|JP07=Fukushima|JP09=Tochigi|JP12=Chiba|JP13=Tokyo|JP17=Ishikawa|JP18=Fukui|JP19=Yamanashi|JP21=Gifu|JP22=Shizuoka|JP23=Aichi|JP25=Shiga|JP26=Kyoto|JP27=Osaka|JP28=Hyogo|JP32=Shimane|JP34=Hiroshima|JP35=Yamaguchi|JP36=Tokushima|JP39=Kochi|JP40=Fukuoka|JP44=Oita|JP46=Kagoshima',
  KE: 'KE05=Elgeyo-Marakwet|KE29=Murang’a|KE30=Nairobi|KE39=Taita-Taveta',
  LA: 'AT=Attapeu|BK=Bokeo|BL=Bolikhamsai|HO=Houaphanh|KH=Khammouane|LM=Luang Namtha|LP=Luang Prabang|OU=Oudomxay|PH=Phongsaly|SV=Savannakhet|VI=Vientiane Province|VT=Vientiane Prefecture|XA=Sainyabuli|XE=Sekong|XS=Xaisomboun',
  LR: 'RV=Rivercess|RG=River Gee',
  MA: 'maagd=Agadir-Ida Ou Tanane|mabod=Boujdour|mafes=Fez|malaa=Laayoune|mamar=Marrakesh|mammd=Marrakesh-Medina|mammn=Marrakesh-Menara|maoud=Oued Ed-Dahab|masyb=Sidi Youssef Ben Ali|mataf=Tarfaya|matng=Tangier-Assilah|matnt=Tan-Tan',
  MD: 'GE=Gagauzia',
  MX: 'DF=Mexico City|MX=State of Mexico|CO=Coahuila|MI=Michoacán|VE=Veracruz',
  MY: 'MLK=Malacca|PNG=Penang|KUL=Kuala Lumpur|LBN=Labuan|PJY=Putrajaya',
  MZ: 'MZL=Maputo Province|MZMPM=Maputo City',
  NA: 'KA=Karas',
  NP: 'BAG=Bagmati|BHE=Bheri|DHA=Dhaulagiri|GAN=Gandaki|JAN=Janakpur|KAR=Karnali|KOS=Koshi|LUM=Lumbini|MAH=Mahakali|MEC=Mechi|NAR=Narayani|RAP=Rapti|SAG=Sagarmatha|SET=Seti',
  PA: 'PA-10=West Panamá',
  PE: 'CAL=Callao|LIM=Lima Region|LMA=Lima Metropolitan Area',
  PH: '00=Metro Manila|MAG=Maguindanao|MDC=Occidental Mindoro|MDR=Oriental Mindoro|NEC=Negros Occidental',
  PK: 'BA=Balochistan|GB=Gilgit-Baltistan|IS=Islamabad|JK=Azad Kashmir|KP=Khyber Pakhtunkhwa|PB=Punjab',
  RO: 'B=Bucharest',
  RS: 'RS00=Belgrade|RS01=North Bačka|RS02=Central Banat|RS03=North Banat|RS04=South Banat|RS05=West Bačka|RS06=South Bačka|RS07=Srem|RS08=Mačva|RS09=Kolubara|RS10=Podunavlje|RS11=Braničevo|RS12=Šumadija|RS13=Pomoravlje|RS14=Bor|RS15=Zaječar|RS16=Zlatibor|RS17=Moravica|RS18=Raška|RS19=Rasina|RS20=Nišava|RS21=Toplica|RS22=Pirot|RS23=Jablanica|RS24=Pčinja|RS25=Kosovo|RS26=Peć|RS27=Prizren|RS28=Kosovska Mitrovica|RS29=Kosovo-Pomoravlje|RSKM=Kosovo-Metohija|RSVO=Vojvodina',
  TH: 'TH-10=Bangkok|TH-39=Nong Bua Lamphu|TH-82=Phang Nga',
  TR: 'TR34=Istanbul|TR35=Izmir',
  TZ: 'TZ06=Pemba North|TZ07=Zanzibar North|TZ10=Pemba South|TZ11=Zanzibar Central and South|TZ15=Zanzibar Urban and West',
  UA: 'UA05=Vinnytsia|UA07=Volyn|UA09=Luhansk|UA12=Dnipropetrovsk|UA14=Donetsk|UA18=Zhytomyr|UA21=Zakarpattia|UA23=Zaporizhzhia|UA26=Ivano-Frankivsk|UA30=Kyiv City|UA32=Kyiv Region|UA35=Kirovohrad|UA40=Sevastopol|UA43=Crimea|UA46=Lviv|UA48=Mykolaiv|UA51=Odesa|UA53=Poltava|UA56=Rivne|UA59=Sumy|UA61=Ternopil|UA63=Kharkiv|UA65=Kherson|UA68=Khmelnytskyi|UA71=Cherkasy|UA74=Chernihiv|UA77=Chernivtsi',
  UM: '71=Midway Atoll',
  US: 'AA=Armed Forces (AA)|AE=Armed Forces (AE)|AP=Armed Forces (AP)',
  VE: 'VE-A=Capital District|VE-W=Federal Dependencies',
  ZA: 'KZN=KwaZulu-Natal|NW=North West',
}

/** The names of a country’s states that differ from the standard's, by code. */
export function englishNames(country: string): ReadonlyMap<string, string> {
  const entries = (english[country] ?? '').split('|').filter(Boolean)
  return new Map(
    entries.map((entry) => {
      const [code = '', name = ''] = entry.split('=')
      return [code, name]
    }),
  )
}
