"""A small game of our own in the form of a community's files, and a list of it."""

from armybuilder.battlescribe.files.edits import RosterEditor
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import Member

SYSTEM = """<gameSystem id="harbour" name="Harbour Wars" revision="3" battleScribeVersion="2.03"
  xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
  <publications><publication id="book" name="The Harbour Book"/></publications>
  <costTypes>
    <costType id="pts" name=" pts" defaultCostLimit="200"/>
    <costType id="crates" name="Crates" defaultCostLimit="-1"/>
    <costType id="dark" name="Dark" defaultCostLimit="-1" hidden="true"/>
  </costTypes>
  <profileTypes><profileType id="fighter" name="Fighter"><characteristicTypes>
    <characteristicType id="m" name="Move"/><characteristicType id="f" name="Fight"/>
  </characteristicTypes></profileType></profileTypes>
  <categoryEntries>
    <categoryEntry id="captains" name="Captains"/><categoryEntry id="crews" name="Crews"/>
    <categoryEntry id="human" name="Human"/>
  </categoryEntries>
  <forceEntries><forceEntry id="fleet" name="Fleet"><categoryLinks>
    <categoryLink id="c1" name="Captains" targetId="captains">
      <constraints><constraint id="one" type="min" value="1" field="selections" scope="parent"
        shared="true"/></constraints></categoryLink>
    <categoryLink id="c2" name="Crews" targetId="crews"/>
  </categoryLinks></forceEntry></forceEntries>
  <sharedRules><rule id="stubborn" name="Stubborn" page="12" publicationId="book">
    <description>This crew holds the quay.
It never runs.</description></rule></sharedRules>
</gameSystem>"""

CATALOGUE = """<catalogue id="gulls" name="Gull Company" revision="7" gameSystemId="harbour"
  battleScribeVersion="2.03" xmlns="http://www.battlescribe.net/schema/catalogueSchema">
  <selectionEntries>
    <selectionEntry id="captain" name="Captain" type="model">
      <profiles><profile id="p1" name="Captain" typeId="fighter" typeName="Fighter">
        <characteristics><characteristic name="Move" typeId="m">6"</characteristic>
        <characteristic name="Fight" typeId="f">5+</characteristic></characteristics></profile>
        <profile id="p3" name="Bellow" typeId="ability" typeName="Ability"><characteristics>
        <characteristic name="Text" typeId="t">Every **crew** in six inches hears the captain and
 may move again at once.</characteristic></characteristics></profile></profiles>
      <categoryLinks><categoryLink id="k1" targetId="captains" primary="true"/>
        <categoryLink id="k2" targetId="human"/></categoryLinks>
      <costs><cost name=" pts" typeId="pts" value="40"/></costs>
      <selectionEntryGroups><selectionEntryGroup id="arms" name="Arms">
        <constraints><constraint id="arms-max" type="max" value="1" field="selections"
          scope="parent" shared="true"/></constraints>
        <selectionEntries>
          <selectionEntry id="cutlass" name="Melee: Cutlass" type="upgrade">
            <costs><cost name=" pts" typeId="pts" value="5"/></costs></selectionEntry>
          <selectionEntry id="pistol" name="Ranged: Pistol (12&quot;)" type="upgrade">
            <costs><cost name=" pts" typeId="pts" value="8"/>
              <cost name="Crates" typeId="crates" value="1"/></costs></selectionEntry>
        </selectionEntries></selectionEntryGroup></selectionEntryGroups>
    </selectionEntry>
    <selectionEntry id="crew" name="Dock Crew" type="unit">
      <infoLinks><infoLink id="l1" name="Stubborn" targetId="stubborn" type="rule"/></infoLinks>
      <categoryLinks><categoryLink id="k3" targetId="crews" primary="true"/></categoryLinks>
      <selectionEntries><selectionEntry id="hand" name="Deck Hand" type="model">
        <constraints><constraint id="h-min" type="min" value="5" field="selections" scope="parent"
          shared="true"/><constraint id="h-max" type="max" value="10" field="selections"
          scope="parent" shared="true"/></constraints>
        <profiles><profile id="p2" name="Deck Hand" typeId="fighter" typeName="Fighter">
          <characteristics><characteristic name="Move" typeId="m">5"</characteristic>
          <characteristic name="Fight" typeId="f">4+</characteristic></characteristics></profile>
        </profiles>
        <costs><cost name=" pts" typeId="pts" value="6"/></costs>
        <selectionEntries><selectionEntry id="hook" name="Boat Hook" type="upgrade"
          collective="true"><costs><cost name=" pts" typeId="pts" value="1"/></costs>
        </selectionEntry></selectionEntries></selectionEntry>
        <selectionEntry id="banner" name="CG: Banner" type="upgrade">
          <costs><cost name=" pts" typeId="pts" value="20"/></costs></selectionEntry>
      </selectionEntries>
    </selectionEntry>
    <selectionEntry id="tide" name="Tide" type="upgrade">
      <selectionEntries><selectionEntry id="ebb" name="Ebb" type="upgrade"/></selectionEntries>
    </selectionEntry>
  </selectionEntries>
</catalogue>"""


def small_game(system: str = SYSTEM, catalogue: str = CATALOGUE) -> GameFiles:
    """Return the game of these files."""
    texts = {"harbour.gst": system, "gulls.cat": catalogue}
    return GameFiles(Member(name, text.encode) for name, text in texts.items())


def small_list(game: GameFiles) -> RosterEditor:
    """Return a legal list: a captain with a pistol, ten hands with hooks and a banner, a tide."""
    editor = RosterEditor(game)
    book = editor.book("gulls")
    definition = book.force("fleet")
    assert definition is not None
    force = editor.add_force(definition)
    offered = {child.name: child for child in definition.children}
    captain = editor.select(force, offered["Captain"])
    arms = {child.name: child for child in offered["Captain"].offered}
    editor.select(captain, arms['Ranged: Pistol (12")'])
    editor.say(captain, {"customName": "Old Maud", "customNotes": "Blue coat."})
    crew = editor.select(force, offered["Dock Crew"])
    hands, banner = offered["Dock Crew"].offered
    hand = editor.pick(crew).below[0].id
    editor.set_number(hand, 10)
    editor.select(hand, hands.offered[0])
    editor.select(crew, banner)
    tide = editor.select(force, offered["Tide"])
    editor.select(tide, offered["Tide"].offered[0])
    return editor
