/** The style sheet of the page: a light and a dark scheme, one column on a phone, everything unfolded in print. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:#fafaf8;--card:#fff;--ink:#1c2226;--quiet:#586169;--line:#dde1e4;--soft:#f0f2f3;--accent:#155e9c;
--add:#17663a;--delete:#b02a20;--patch:#7d5200;--move:#2a5aa8;
--lowers:#9a3412;--lowers-bg:#fff0e5;--raises:#17663a;--raises-bg:#e6f5ea;
--del:#fbdcd8;--ins:#d3f0dc}
@media screen and (prefers-color-scheme:dark){:root{
--bg:#13171a;--card:#1a1f23;--ink:#e4e8ea;--quiet:#9ba6ae;--line:#2d353b;--soft:#22292e;--accent:#7fb8f0;
--add:#73cf93;--delete:#ff9d92;--patch:#e3b65e;--move:#8db9ff;
--lowers:#ffb68f;--lowers-bg:#3a2417;--raises:#73cf93;--raises-bg:#173022;
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
.tiles .lowers{background:var(--lowers-bg);border-color:var(--lowers)}
.layout{max-width:76rem;margin:0 auto;padding:0 1.5rem 3rem;display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2.25rem;align-items:start}
.layout.alone{grid-template-columns:minmax(0,1fr)}
.pipeline{position:sticky;top:1rem;font-size:13px;padding-bottom:1rem}
.pipeline p{color:var(--quiet);font-size:12px;text-transform:uppercase;letter-spacing:.06em;margin:.75rem 0 .15rem}
.pipeline ol{border-left:2px solid var(--line);margin-left:6px}
.pipeline li{position:relative;padding:2px 0 2px 1.1rem;color:var(--quiet);line-height:1.35}
.pipeline li::before{content:"";position:absolute;left:-5px;top:8px;width:8px;height:8px;border-radius:50%;background:var(--bg);border:2px solid var(--line);box-sizing:border-box}
.pipeline li.on{padding-block:5px}
.pipeline li.on a{font-weight:600;font-size:14px;text-decoration:none}
.pipeline li.on a:hover{text-decoration:underline}
.pipeline li.on span{display:block}
.pipeline li.on::before{left:-8px;top:8px;width:14px;height:14px;background:var(--accent);border-color:var(--bg)}
.pipeline li.lowers::before{background:var(--lowers)}
.pipeline li.lowers span{color:var(--lowers)}
.findings,.outcomes,.failed,.rest{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem;margin-bottom:1.25rem}
.findings{border-left:4px solid var(--lowers)}
.failed{border-left:4px solid var(--delete)}
section>h2{font-size:17px}
.findings h3,.outcomes h3,.failed h3{font-size:14px;margin-top:.6rem}
.message{white-space:pre-line}
.findings li,.failed li{padding:.2rem .4rem;margin:0 -.4rem;border-radius:6px;scroll-margin-top:6.5rem}
.findings li:target{background:var(--soft)}
.names{color:var(--quiet);font-size:13px}
.names summary,.index summary,.full summary{cursor:pointer}
.names p{margin:.2rem 0 .2rem 1rem}
.index{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.6rem 1.25rem;margin-bottom:1.25rem;font-size:14px}
.full summary{color:var(--quiet);font-size:13px;margin-left:3.6rem}
.index ol{columns:22rem;column-gap:2rem;margin-top:.4rem}
.index li{break-inside:avoid;padding:.1rem 0}
.index span{color:var(--quiet);font-size:13px;margin-left:.35rem}
.index .lowers{color:var(--lowers);font-weight:600}
.refuse b{color:var(--delete)}
.warn b{color:var(--lowers)}
.filters{display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center;margin:0 -.5rem 1.25rem;padding:.5rem;font-size:14px;position:sticky;top:0;z-index:1;background:var(--bg)}
.filters button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--quiet);border-radius:6px;padding:.25rem .6rem;cursor:pointer}
.filters button[aria-pressed=true]{background:var(--ink);color:var(--bg)}
.filters[hidden]{display:none}
.filters fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.4rem .9rem}
.filters legend{position:absolute;left:-99rem}
.filters label{display:inline-flex;align-items:center;gap:.35rem}
.filters input[type=search],.filters select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--quiet);border-radius:6px;padding:.25rem .5rem;max-width:14rem}
.filters output{color:var(--quiet)}
.scope>h2{scroll-margin-top:6.5rem;font-size:20px;margin:1.75rem 0 .6rem;font-weight:650}
.scope:first-of-type>h2{margin-top:.25rem}
.alike{margin:-.2rem 0 .8rem;color:var(--quiet);font-size:14px}
.alike summary{cursor:pointer}
.alike p{margin:.4rem 0 0 1rem;color:var(--ink);overflow-wrap:anywhere}
.ruleset{background:var(--card);border:1px solid var(--line);border-radius:10px;margin-bottom:1rem;scroll-margin-top:6.5rem}
.ruleset>header{padding:.8rem 1.1rem .6rem}
.ruleset h3{font-size:16px}
.facts{display:flex;flex-wrap:wrap;gap:0 .9rem}
.facts .create{color:var(--add)}.facts .delete{color:var(--delete)}
.ruleset>.fields,.ruleset>.quiet{padding:0 1.1rem .7rem}
.rules>li{border-top:1px solid var(--line)}
.rules .same{padding:.3rem 1.1rem .3rem 2.35rem;color:var(--quiet);font-size:13px;background:var(--soft)}
.rule{scroll-margin-top:6.5rem;border-left:4px solid transparent}
.rule.add{border-left-color:var(--add)}.rule.delete{border-left-color:var(--delete)}
.rule.patch{border-left-color:var(--patch)}.rule.move{border-left-color:var(--move)}
.rule:target{background:var(--soft)}
.id{color:var(--quiet);font-size:12px;margin-left:.4rem}
.rule>details>summary,.rule .head{padding:.5rem 1.1rem .5rem .8rem}
.rule>details>summary{cursor:pointer;list-style:none}
.rule>details>summary::-webkit-details-marker{display:none}
.rule>details>summary:hover{background:var(--soft)}
.sign{display:inline-block;width:1.1rem;font-weight:700;font-family:ui-monospace,monospace;text-align:center}
.word{font-size:13px;font-weight:600;margin-right:.4rem}
.add .sign,.add .word{color:var(--add)}.delete .sign,.delete .word{color:var(--delete)}
.patch .sign,.patch .word{color:var(--patch)}.move .sign,.move .word{color:var(--move)}
.about{margin-left:.5rem}
.source{margin-left:.5rem;font-family:ui-monospace,monospace;font-size:12px}
.facts .source{margin-left:0}
.badge{font-size:12px;font-weight:600;border-radius:99px;padding:.05rem .55rem;margin-left:.35rem;white-space:nowrap}
.badge.lowers,.reason.lowers{color:var(--lowers);background:var(--lowers-bg)}
.reason.allowed{background:var(--soft)}
.badge.raises,.reason.raises{color:var(--raises);background:var(--raises-bg)}
.badge.outcome{margin-left:0;background:var(--soft);color:var(--ink)}
.badge.done{color:var(--raises);background:var(--raises-bg)}
.badge.failed,.badge.conflict,.badge.refused{color:var(--lowers);background:var(--lowers-bg)}
.reason{margin:0 1.1rem .45rem 2.1rem;padding:.15rem .6rem;border-radius:6px;font-size:14px}
.rule .fields{padding:0 1.1rem .8rem 2.1rem}
.back{font-size:13px}
.rule details>.back{display:block;padding:0 1.1rem .6rem 2.1rem;margin-top:-.3rem}
.head>.back{margin-left:.5rem}
.fields>div{display:grid;grid-template-columns:13.5rem minmax(0,1fr);gap:.75rem;padding:.12rem 0}
.fields .inner dt{padding-left:1rem}
dt{color:var(--quiet);font-size:13px;line-height:20px}
.group{margin-top:.2rem}.group dt{grid-column:1/-1;font-weight:600}.group dd{display:none}
dd{line-height:20px;font-size:14px}
.side{display:flex;gap:.6rem;border-radius:4px;padding:0 .4rem;margin-left:-.4rem}
.side b{flex:none;width:3.4rem;font-size:12px;font-weight:400;color:var(--quiet)}
.side.live code{border-left:3px solid var(--delete);padding-left:.5rem}
.side.files code{border-left:3px solid var(--add);padding-left:.5rem}
del,ins{text-decoration:none;border-radius:3px;padding:0 2px}
del{background:var(--del);text-decoration:line-through;text-decoration-thickness:1px}
ins{background:var(--ins);font-weight:600}
.t-delete,.t-error{color:var(--delete)}.t-add,.t-good{color:var(--add)}.t-patch,.t-warning{color:var(--patch)}
.t-move,.t-info{color:var(--move)}.t-dim,.t-label{color:var(--quiet)}.t-strong,.t-heading{font-weight:700}
.lines{white-space:pre-wrap;margin-top:.5rem}
.notes{border-top:1px solid var(--line);padding:.5rem 1.1rem;font-size:14px}
.notes li{padding:.1rem 0}
.notes .warns::before{content:"Note, take care: ";color:var(--lowers);font-weight:600}
.notes .tells::before{content:"Note: ";color:var(--quiet)}
.order{margin:0 1.1rem .8rem;padding:.5rem .8rem .6rem;background:var(--soft);border-radius:8px}
.order figcaption{font-size:13px;font-weight:600}
.columns{display:grid;grid-template-columns:minmax(0,1fr) 4.5rem minmax(0,1fr);align-items:end;font-size:13px;max-width:44rem}
.columns>div{align-self:start}
.columns>div:last-child{padding-left:.5rem}
.columns p{color:var(--quiet);height:22px}
.columns svg{align-self:start;margin-top:22px;width:100%;overflow:visible}
.columns path{fill:none;stroke:var(--move);stroke-width:2;vector-effect:non-scaling-stroke}
.columns li{height:26px;line-height:26px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.columns li i{display:inline-block;min-width:1.5rem;font-style:normal;color:var(--quiet);font-variant-numeric:tabular-nums}
.columns .move{color:var(--move);font-weight:600}
.columns .add{color:var(--add)}.columns .delete{color:var(--delete);text-decoration:line-through}
.columns .run{color:var(--quiet)}
.columns .run{padding-left:1.5rem}
.filtered .same,.filtered .order{display:none}
[hidden]{display:none}
footer{max-width:76rem;margin:0 auto;padding:0 1.5rem 2rem;color:var(--quiet);font-size:13px}
@supports (content-visibility:auto){.ruleset{content-visibility:auto;contain-intrinsic-size:auto 400px}}
@media (max-width:52rem){
.top{padding:1.25rem 1rem .75rem}.top h1{font-size:21px}.top .verdict{font-size:16px}
.layout{display:flex;flex-direction:column;align-items:stretch;padding:0 1rem 2rem;gap:0}
.layout>main{display:contents}.findings,.outcomes,.failed{order:-1}
.pipeline{position:static;padding:0}.pipeline li:not(.on){display:none}.pipeline p:not(:has(+ol .on)){display:none}.pipeline ol:not(:has(.on)){display:none}
.fields>div{grid-template-columns:minmax(0,1fr);gap:0}
.rule .fields,.rule details>.back{padding-left:1.1rem}.reason{margin-left:1.1rem}.filters{position:static;padding:0;margin-inline:0}
.source,.about{display:block;margin-left:1.5rem}
.columns{grid-template-columns:minmax(0,1fr) 2.5rem minmax(0,1fr)}
.tiles li{min-width:4.5rem;padding:.35rem .6rem}}
@media print{
:root{--bg:#fff;--card:#fff;--ink:#000;--quiet:#444;--line:#bbb;--soft:#f3f3f3}
.filters,.skip{display:none}.layout{grid-template-columns:minmax(0,1fr)}
.pipeline{position:static}.pipeline li:not(.on){display:none}.pipeline p:not(:has(+ol .on)),.pipeline ol:not(:has(.on)){display:none}
.ruleset{content-visibility:visible;break-inside:auto}.rule,.findings li{break-inside:avoid}
details:not([open])::details-content{content-visibility:visible;block-size:auto}}
`;
