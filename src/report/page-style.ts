/** The style sheet of the page: a light and a dark scheme, one column on a phone, everything unfolded in print. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:#fafaf8;--card:#fff;--ink:#1c2226;--quiet:#586169;--line:#dde1e4;--soft:#f0f2f3;--accent:#155e9c;
--added:#17663a;--removed:#b02a20;--changed:#7d5200;--moved:#2a5aa8;
--severe:#9a3412;--severe-bg:#fff0e5;--fine:#17663a;--fine-bg:#e6f5ea;
--del:#fbdcd8;--ins:#d3f0dc}
@media screen and (prefers-color-scheme:dark){:root{
--bg:#13171a;--card:#1a1f23;--ink:#e4e8ea;--quiet:#9ba6ae;--line:#2d353b;--soft:#22292e;--accent:#7fb8f0;
--added:#73cf93;--removed:#ff9d92;--changed:#e3b65e;--moved:#8db9ff;
--severe:#ffb68f;--severe-bg:#3a2417;--fine:#73cf93;--fine-bg:#173022;
--del:#5c231e;--ins:#1b4a2d}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
h1,h2,h3,p,ol,ul,dl,dd,figure,pre{margin:0;padding:0}
ol,ul{list-style:none}
code,pre{font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
small,.quiet,.source,.about,.facts{color:var(--quiet);font-size:13px;font-weight:400}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.25rem .75rem;z-index:2}
.top{max-width:76rem;margin:0 auto;padding:2rem 1.5rem 1rem}
.top h1{font-size:26px;line-height:1.25;font-weight:650;letter-spacing:-.01em}
.top .verdict{font-size:17px;margin-top:.35rem}
.tiles{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:1.1rem}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.45rem .9rem;min-width:5.5rem}
.tiles b{display:block;font-size:20px;line-height:1.2;font-variant-numeric:tabular-nums}
.tiles .warning{background:var(--severe-bg);border-color:var(--severe)}
.layout{max-width:76rem;margin:0 auto;padding:0 1.5rem 3rem;display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2.25rem;align-items:start}
.layout.alone{grid-template-columns:minmax(0,1fr)}
.map{position:sticky;top:1rem;font-size:13px;padding-bottom:1rem}
.map p{color:var(--quiet);font-size:12px;text-transform:uppercase;letter-spacing:.06em;margin:.75rem 0 .15rem}
.map ol{border-left:2px solid var(--line);margin-left:6px}
.map li{position:relative;padding:2px 0 2px 1.1rem;color:var(--quiet);line-height:1.35}
.map li::before{content:"";position:absolute;left:-5px;top:8px;width:8px;height:8px;border-radius:50%;background:var(--bg);border:2px solid var(--line);box-sizing:border-box}
.map li.on{padding-block:5px}
.map li.on a{font-weight:600;font-size:14px;text-decoration:none}
.map li.on a:hover{text-decoration:underline}
.map li.on span{display:block}
.map li.on::before{left:-8px;top:8px;width:14px;height:14px;background:var(--accent);border-color:var(--bg)}
.map li.severe::before{background:var(--severe)}
.map li.severe span{color:var(--severe)}
.callout,.loose{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem;margin-bottom:1.25rem}
.callout{border-left:4px solid var(--severe)}
.callout.error{border-left-color:var(--removed)}.callout.info{border-left-color:var(--moved)}
section>h2{font-size:17px}
.more{color:var(--quiet);font-size:14px}
.fold{margin:.2rem 0 .8rem;font-size:14px}
.fold>summary{cursor:pointer;color:var(--quiet)}
.fold>p{margin:.4rem 0 0 1rem}
.card>.fold>summary,.card>.fold>h4{padding:0 1.1rem}
.fold h4{margin:0;font-size:14px}
.loose>p,.card>p{padding:.1rem 1.1rem}
.loose{padding:.6rem 0}
.item{padding:.25rem 1.1rem}
.entries .entries{margin-left:1rem}
.entries .entries>li{border-top:0}
h1 code,h2 code{font-size:inherit}
h3 code{font-weight:400}
.item .card{border:0;background:none;margin:0}
.item .card>header{padding:.2rem 0}
.entries .entries .item{padding:.1rem 0}
.item .inner{padding-left:1.4rem}
.item .inner>p{color:var(--quiet);font-size:14px}
.item .fields,.card>.fields{padding:.2rem 1.1rem .6rem}
.item.good>.sign,.item.good>.word{color:var(--added)}.item.warning>.sign,.item.warning>.word{color:var(--changed)}
.item.error>.sign,.item.error>.word{color:var(--removed)}.item.info>.sign,.item.info>.word{color:var(--moved)}
.fact{margin-left:.5rem;color:var(--quiet);font-size:13px}
.fact .source,.callout .source{margin-left:0}
.callout .entries .item{padding:.1rem 0 .1rem 1rem}
.callout p{color:var(--quiet);font-size:13px}
.callout h2{font-size:14px}
.message{white-space:pre-line}
.callout li{padding:.2rem .4rem;margin:0 -.4rem;border-radius:6px;scroll-margin-top:6.5rem}
.callout li:target{background:var(--soft)}
.index{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.6rem 1.25rem;margin-bottom:1.25rem;font-size:14px}
.full summary{color:var(--quiet);font-size:13px;margin-left:3.6rem}
.index ol{columns:22rem;column-gap:2rem;margin-top:.4rem}
.index li{break-inside:avoid;padding:.1rem 0}
.index span{color:var(--quiet);font-size:13px;margin-left:.35rem}
.index .severe{color:var(--severe);font-weight:600}
.filters{display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center;margin:0 -.5rem 1.25rem;padding:.5rem;font-size:14px;position:sticky;top:0;z-index:1;background:var(--bg)}
.filters button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--quiet);border-radius:6px;padding:.25rem .6rem;cursor:pointer}
.filters button[aria-pressed=true]{background:var(--ink);color:var(--bg)}
.filters[hidden]{display:none}
.filters fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem .9rem}
.filters legend{position:absolute;left:-99rem}
.filters label{display:inline-flex;align-items:center;gap:.35rem}
.filters input[type=search],.filters select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--quiet);border-radius:6px;padding:.25rem .5rem;max-width:14rem}
.filters output{color:var(--quiet)}
.part>h2{scroll-margin-top:6.5rem;font-size:20px;margin:1.75rem 0 .6rem;font-weight:650}
.part:first-of-type>h2{margin-top:.25rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;margin-bottom:1rem;scroll-margin-top:6.5rem}
.card>header{padding:.8rem 1.1rem .6rem}
.card h3{font-size:16px}
.facts{display:flex;flex-wrap:wrap;gap:0 .9rem}
.card>.fields,.card>.quiet{padding:0 1.1rem .7rem}
.entries>li{border-top:1px solid var(--line)}
.loose>.entries:first-child>li:first-child{border-top:0}
.entries .same{padding:.3rem 1.1rem .3rem 2.35rem;color:var(--quiet);font-size:13px;background:var(--soft)}
.entry{scroll-margin-top:6.5rem;border-left:4px solid transparent}
.entry.added{border-left-color:var(--added)}.entry.removed{border-left-color:var(--removed)}
.entry.changed{border-left-color:var(--changed)}.entry.moved{border-left-color:var(--moved)}
.entry:target{background:var(--soft)}
.id{color:var(--quiet);font-size:12px;margin-left:.4rem}
.entry>details>summary,.entry .head{padding:.5rem 1.1rem .5rem .8rem}
.entry>details>summary{cursor:pointer;list-style:none}
.entry>details>summary::-webkit-details-marker{display:none}
.entry>details>summary:hover{background:var(--soft)}
.sign{display:inline-block;width:1.1rem;font-weight:700;font-family:ui-monospace,monospace;text-align:center}
.word{font-size:13px;font-weight:600;margin-right:.4rem}
.added .sign,.added .word{color:var(--added)}.removed .sign,.removed .word{color:var(--removed)}
.changed .sign,.changed .word{color:var(--changed)}.moved .sign,.moved .word{color:var(--moved)}
.about{margin-left:.5rem}
.source{margin-left:.5rem;font-family:ui-monospace,monospace;font-size:12px}
.facts .source{margin-left:0}
.badge{font-size:12px;font-weight:600;border-radius:99px;padding:.05rem .55rem;margin-left:.35rem;white-space:nowrap}
.badge.warning,.badge.error,.reason.warning{color:var(--severe);background:var(--severe-bg)}
.reason.plain{background:var(--soft)}
.badge.good,.reason.good{color:var(--fine);background:var(--fine-bg)}
.badge.dim{background:var(--soft);color:var(--ink)}
.reason{margin:0 1.1rem .45rem 2.1rem;padding:.15rem .6rem;border-radius:6px;font-size:14px}
.entry .fields{padding:0 1.1rem .8rem 2.1rem}
.back{font-size:13px}
.entry details>.back{display:block;padding:0 1.1rem .6rem 2.1rem;margin-top:-.3rem}
.head>.back{margin-left:.5rem}
.fields>div{display:grid;grid-template-columns:13.5rem minmax(0,1fr);gap:.75rem;padding:.12rem 0}
.fields .inner dt{padding-left:1rem}
dt{color:var(--quiet);font-size:13px;line-height:20px}
.group{margin-top:.2rem}.group dt{grid-column:1/-1;font-weight:600}.group dd{display:none}
dd{line-height:20px;font-size:14px}
.side{display:flex;gap:.6rem;border-radius:4px;padding:0 .4rem;margin-left:-.4rem}
.side b{flex:none;width:3.4rem;font-size:12px;font-weight:400;color:var(--quiet)}
.side.removed code{border-left:3px solid var(--removed);padding-left:.5rem}
.side.added code{border-left:3px solid var(--added);padding-left:.5rem}
del,ins{text-decoration:none;border-radius:3px;padding:0 2px}
del{background:var(--del);text-decoration:line-through;text-decoration-thickness:1px}
ins{background:var(--ins);font-weight:600}
.t-removed,.t-error{color:var(--removed)}.t-added,.t-good{color:var(--added)}.t-changed,.t-warning{color:var(--changed)}
.t-moved,.t-info{color:var(--moved)}.t-dim,.t-label{color:var(--quiet)}.t-strong,.t-heading{font-weight:700}
.lines{white-space:pre-wrap;margin-top:.5rem}
.card>.lines{padding:0 1.1rem .8rem}
.order{margin:0 1.1rem .8rem;padding:.5rem .8rem .6rem;background:var(--soft);border-radius:8px}
.order figcaption{font-size:13px;font-weight:600}
.columns{display:grid;grid-template-columns:minmax(0,1fr) 4.5rem minmax(0,1fr);align-items:end;font-size:13px;max-width:44rem}
.columns>div{align-self:start}
.columns>div:last-child{padding-left:.5rem}
.columns p{color:var(--quiet);height:22px}
.columns svg{align-self:start;margin-top:22px;width:100%;overflow:visible}
.columns path{fill:none;stroke:var(--moved);stroke-width:2;vector-effect:non-scaling-stroke}
.columns li{height:26px;line-height:26px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.columns li i{display:inline-block;min-width:1.5rem;font-style:normal;color:var(--quiet);font-variant-numeric:tabular-nums}
.columns .moved{color:var(--moved);font-weight:600}
.columns .added{color:var(--added)}.columns .removed{color:var(--removed);text-decoration:line-through}
.columns .run{color:var(--quiet)}
.columns .run{padding-left:1.5rem}
.filtered .same,.filtered .order{display:none}
[hidden]{display:none}
footer{max-width:76rem;margin:0 auto;padding:0 1.5rem 2rem;color:var(--quiet);font-size:13px}
@supports (content-visibility:auto){.card{content-visibility:auto;contain-intrinsic-size:auto 400px}}
@media (max-width:52rem){
.top{padding:1.25rem 1rem .75rem}.top h1{font-size:21px}.top .verdict{font-size:16px}
.layout{display:flex;flex-direction:column;align-items:stretch;padding:0 1rem 2rem;gap:0}
.layout>main{display:contents}.callout{order:-1}
.map{position:static;padding:0}.map li:not(.on){display:none}.map p:not(:has(+ol .on)){display:none}.map ol:not(:has(.on)){display:none}
.fields>div{grid-template-columns:minmax(0,1fr);gap:0}
.entry .fields,.entry details>.back{padding-left:1.1rem}.reason{margin-left:1.1rem}.filters{position:static;padding:0;margin-inline:0}
.source,.about{display:block;margin-left:1.5rem}.callout .source,.facts .source{display:inline;margin-left:0}
.columns{grid-template-columns:minmax(0,1fr) 2.5rem minmax(0,1fr)}
.tiles li{min-width:4.5rem;padding:.35rem .6rem}}
@media print{
:root{--bg:#fff;--card:#fff;--ink:#000;--quiet:#444;--line:#bbb;--soft:#f3f3f3}
.filters,.skip{display:none}.layout{grid-template-columns:minmax(0,1fr)}
.map{position:static}.map li:not(.on){display:none}.map p:not(:has(+ol .on)),.map ol:not(:has(.on)){display:none}
.card{content-visibility:visible;break-inside:auto}.entry,.callout li{break-inside:avoid}
details:not([open])::details-content{content-visibility:visible;block-size:auto}}
`;
