"""Jobs are tried again and in a fair order; workers give signs of life."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('printing', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='PrintWorker',
            fields=[
                ('id', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('seen', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='printjob',
            name='begun',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='printjob',
            name='fault',
            field=models.CharField(blank=True, choices=[('ended', 'Ended'), ('disk', 'Disk')], db_default='', default='', max_length=10),
        ),
        migrations.AddField(
            model_name='printjob',
            name='tries',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='printjob',
            name='worker',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
    ]
